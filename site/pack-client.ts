import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Packs the client under a name without its version, for those who have the service and no checkout. */
export function packClient(source: string, directory: string): void {
  mkdirSync(directory, { recursive: true })
  const packed = mkdtempSync(join(directory, 'packed-'))
  execFileSync('npm', ['pack', source, '--silent', '--pack-destination', packed])
  const [name = ''] = readdirSync(packed)
  renameSync(join(packed, name), join(directory, 'parley-client.tgz'))
  rmSync(packed, { recursive: true })
}
