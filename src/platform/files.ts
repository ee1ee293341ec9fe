import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export interface Digest {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

export interface Reading {
  readonly signal: AbortSignal
  /** Called with the number of bytes of each piece. */
  readonly onBytes?: (bytes: number) => void
}

/** Copies a file to one that must not be there yet, for its owner alone, and on the disk when it resolves. */
export function copyPrivately(from: string, to: string, reading: Reading): Promise<Digest> {
  return digestInto(from, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }), reading)
}

export function digestFile(path: string, reading: Reading): Promise<Digest> {
  return digestInto(path, undefined, reading)
}

async function digestInto(
  from: string,
  to: Writable | undefined,
  { signal, onBytes = () => {} }: Reading,
): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  const count = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      bytes += piece.length
      onBytes(piece.length)
      done(null, to && piece)
    },
  })
  if (to) {
    await pipeline(createReadStream(from), count, to, { signal })
  } else {
    await pipeline(createReadStream(from), count.resume(), { signal })
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Sees that a file, or the names in a directory, are on the disk. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
