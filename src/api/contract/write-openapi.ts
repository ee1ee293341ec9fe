import { readFileSync, writeFileSync } from 'node:fs'
import { createContract } from './index.ts'

/**
 * Writes openapi.json from the contract; with --check only says whether it is up to date. Needs no
 * server: the contract stands by itself.
 */
const path = new URL('../../../openapi.json', import.meta.url)
const document = `${JSON.stringify(createContract('svc').openapi('http://127.0.0.1:8080'), null, 2)}\n`

if (process.argv.includes('--check')) {
  const upToDate = readFileSync(path, 'utf8') === document
  process.stdout.write(
    upToDate
      ? 'openapi.json is up to date.\n'
      : 'openapi.json does not match the contract: run "npm run openapi" and commit it.\n',
  )
  process.exitCode = upToDate ? 0 : 1
} else {
  writeFileSync(path, document)
  process.stdout.write('openapi.json written.\n')
}
