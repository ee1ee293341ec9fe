import { open, readFile, rm } from 'node:fs/promises'
import type { Charge } from './charge.ts'

/**
 * Where charges go that the store cannot take: one JSON object a line, on the disk before anyone
 * hears of it. Charges have ids and figures only, so nothing of a conversation can be in it.
 */
export interface SpillFile {
  append(charges: readonly Charge[]): Promise<void>
  read(): Promise<Charge[]>
  clear(): Promise<void>
}

export function createSpillFile(path: string): SpillFile {
  return {
    async append(charges) {
      const file = await open(path, 'a', 0o600)
      try {
        await file.appendFile(charges.map((charge) => `${JSON.stringify(charge)}\n`).join(''))
        await file.sync()
      } finally {
        await file.close()
      }
    },
    read: async () => parseSpill(await readIfThere(path)),
    clear: () => rm(path, { force: true }),
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** A last line without its end was cut off by a crash, before its reply could end: it is not owed. */
function parseSpill(text: string): Charge[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Charge)
}
