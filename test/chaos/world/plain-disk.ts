import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataDisk } from './data-disk.ts'

/** A plain directory for replicas whose store is elsewhere: what can befall a disk befalls none. */
export function openPlainDisk(): DataDisk {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  const refuse = (): never => {
    throw new Error('only the disk of an embedded store can be broken')
  }
  process.once('exit', remove)
  return {
    dataDir,
    whyNot: 'the store is not embedded',
    fill: refuse,
    makeReadOnly: refuse,
    mend() {},
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

export function makeReplicaDir(disk: DataDisk, index: number): string {
  const directory = join(disk.dataDir, `replica-${index}`)
  mkdirSync(directory, { recursive: true })
  return directory
}
