import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** What of the repository a page may run. */
const RUN = ['src', 'deploy']
/** What it may write over, build or pack: copied, so that nothing is written into the repository. */
const COPIED = ['client', 'openapi.json', 'tsconfig.json']

/**
 * A directory in which a page's commands work as they do in the repository, and leave nothing in it:
 * `npm start`, `npx parley`, `node chat.ts` and what that imports. What is installed here is linked a
 * folder above: `npm install`, run by a page, must never see links that it would empty.
 */
export function makePlace(above: string): string {
  const modules = join(root, 'node_modules')
  linkEach(modules, join(above, 'node_modules'))
  const work = mkdtempSync(join(above, 'work-'))
  linkEach(join(modules, '.bin'), join(work, 'node_modules/.bin'))
  symlinkSync(join(root, 'src/cli/parley.ts'), join(work, 'node_modules/.bin/parley'))
  for (const name of RUN) symlinkSync(join(root, name), join(work, name))
  for (const name of COPIED) cpSync(join(root, name), join(work, name), { recursive: true })
  const scripts = { start: 'node src/main.ts', parley: 'node src/cli/parley.ts' }
  writeFileSync(
    join(work, 'package.json'),
    `${JSON.stringify({ name: 'page', private: true, type: 'module', scripts }, null, 2)}\n`,
  )
  return work
}

function linkEach(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  const names = readdirSync(from).filter((name) => name !== 'parley' && name !== '.bin')
  for (const name of names) symlinkSync(realpathSync(join(from, name)), join(to, name))
}
