import { open, readFile, unlink, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Charge } from './charge.ts'

const NEWLINE = 0x0a

/**
 * Where charges go that the store cannot take: one JSON object a line, on the disk before anyone
 * hears of it. Charges have ids and figures only, so nothing of a conversation can be in it.
 */
export interface SpillFile {
  /** Adds all of them, or, where it rejects, as far as the disk allows none. */
  append(charges: readonly Charge[]): Promise<void>
  /** Calls back with the number, counted from 1, of each line that is no charge. */
  read(onBadLine?: (line: number) => void): Promise<Charge[]>
  clear(): Promise<void>
}

export function createSpillFile(path: string): SpillFile {
  return {
    async append(charges) {
      const file = await open(path, 'a+', 0o600)
      try {
        const size = await dropCutOff(file)
        await appendOrUndo(file, size, charges)
      } finally {
        await file.close()
      }
      await syncDirectory(dirname(path))
    },
    read: async (onBadLine = () => {}) => parseSpill(await readIfThere(path), onBadLine),
    clear: () => removeIfThere(path),
  }
}

/** Half a line would spoil the one put behind it. Returns the size of what is left. */
async function dropCutOff(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  if (size === 0) return 0
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  if (buffer[0] === NEWLINE) return size
  const whole = (await file.readFile()).lastIndexOf(NEWLINE) + 1
  await file.truncate(whole)
  return whole
}

async function appendOrUndo(
  file: FileHandle,
  size: number,
  charges: readonly Charge[],
): Promise<void> {
  try {
    await file.appendFile(charges.map((charge) => `${JSON.stringify(charge)}\n`).join(''))
    await file.sync()
  } catch (error) {
    // Their replies are refused: what is left of them must not be charged at the next start.
    await file.truncate(size).catch(() => {})
    throw error
  }
}

/** A new file's name is on the disk only when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
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
function parseSpill(text: string, onBadLine: (line: number) => void): Charge[] {
  const charges: Charge[] = []
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    try {
      charges.push(JSON.parse(line) as Charge)
    } catch {
      onBadLine(index + 1)
    }
  }
  return charges
}
