import { setTimeout as sleep } from 'node:timers/promises'
import { describeFailure, fetchRange, Passing, type Answered } from './fetch-range.ts'
import { ModelRefused } from './model-refused.ts'
import { countPart, openPart, partPathOf, type PartFile } from './part-file.ts'
import type { OnProgress } from './progress.ts'
import { mayBeGguf, readGguf } from './read-gguf.ts'

export interface Wanted {
  readonly url: string
  /** Undefined where nobody says. */
  readonly sizeBytes: number | undefined
  /** In hexadecimal; undefined where nobody says: it is not checked then. */
  readonly sha256: string | undefined
}

export interface Downloading {
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  /** How long to wait before the first new try; twice as long before each that follows. */
  readonly retryMs?: number
  /** How long a server may send nothing. */
  readonly idleMs?: number
}

const RETRY_MS = 500
const MAX_RETRY_MS = 30_000
const IDLE_MS = 30_000
/** In a row, without one new byte. */
const MAX_TRIES = 6

/**
 * Downloads a GGUF file to a path, going on with what is there of it. It has its name only when it is whole, its
 * hash is right, and it is on the disk. What was broken off is kept, what is wrong is deleted. Throws a
 * ModelRefused, or the signal's reason.
 */
export async function download(path: string, wanted: Wanted, how: Downloading): Promise<void> {
  const { signal, onProgress } = how
  const total = wanted.sizeBytes
  if (countPart(path, wanted) > 0) onProgress({ kind: 'step', step: 'resume' })
  const part = await openPart(path, wanted, {
    signal,
    onBytes: (bytes) => onProgress({ kind: 'bytes', done: bytes, total, from: 0 }),
  })
  onProgress({ kind: 'step', step: 'download' })
  try {
    await fill(part, wanted, how)
    refuseWrong(part, wanted, partPathOf(path))
  } catch (error) {
    if (error instanceof WrongContent) await part.remove()
    else await part.close()
    throw error
  }
  await part.finish()
}

/** What is here is not what is wanted, and no more of it would make it so. */
class WrongContent extends ModelRefused {}

async function fill(part: PartFile, wanted: Wanted, how: Downloading): Promise<void> {
  const { signal, onProgress, retryMs = RETRY_MS } = how
  let tries = 0
  for (;;) {
    const before = part.bytes
    try {
      if (await isFilled(part, wanted, how)) return
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Passing)) throw error
      tries = part.bytes > before ? 1 : tries + 1
      if (tries >= MAX_TRIES) throw explainGivingUp(part, error)
      const inMs = Math.min(retryMs * 2 ** (tries - 1), MAX_RETRY_MS)
      onProgress({ kind: 'retry', reason: error.message, inMs })
      await sleep(inMs, undefined, { signal })
    }
  }
}

/** One request's worth. False: the server has begun to say what it has, and is to be asked again. */
async function isFilled(part: PartFile, wanted: Wanted, how: Downloading): Promise<boolean> {
  if (wanted.sizeBytes !== undefined && part.bytes === wanted.sizeBytes) return true
  const idle = watchIdle(how)
  try {
    // Bytes that nothing marks can be gone on with only where a hash will tell.
    const canGoOn = part.etag !== undefined || wanted.sha256 !== undefined
    if (part.bytes > 0 && !canGoOn) await part.restart(undefined)
    const { url } = wanted
    const asked = { url, method: 'GET', from: part.bytes, etag: part.etag } as const
    const answered = await fetchRange({ ...asked, signal: idle.signal })
    refuseOther(answered, wanted)
    const isRest = part.bytes > 0 && answered.from === part.bytes
    if (isRest && hasChanged(answered, part)) {
      // It sends a rest all the same: of another file than the one that was begun.
      await answered.body?.cancel()
      await part.restart(undefined)
      return false
    }
    if (!isRest) await part.restart(answered.etag)
    if (answered.body === null) return false
    if (answered.from !== part.bytes) {
      throw new ModelRefused(`${url} is sent in pieces that do not fit.`)
    }
    await append(part, answered, wanted, { ...how, alive: idle.alive })
    return true
  } catch (error) {
    if (idle.isIdle()) throw new Passing('nothing came for a while', { cause: error })
    throw error
  } finally {
    idle.end()
  }
}

async function append(
  part: PartFile,
  { body, sizeBytes }: Answered,
  wanted: Wanted,
  { onProgress, alive }: Downloading & { readonly alive: () => void },
): Promise<void> {
  const total = wanted.sizeBytes ?? sizeBytes
  const from = part.bytes
  try {
    for await (const piece of body ?? []) {
      alive()
      if (part.bytes === 0 && !mayBeGguf(piece)) {
        throw new WrongContent(`${wanted.url} is no GGUF file: it does not begin as one.`)
      }
      if (total !== undefined && part.bytes + piece.length > total) {
        throw new WrongContent(
          `${wanted.url} sends more than the ${total} bytes that it should have.`,
        )
      }
      await part.append(piece)
      onProgress({ kind: 'bytes', done: part.bytes, total, from })
    }
  } catch (error) {
    // The system says of a full disk which call failed; a connection's errors have none of the file system's.
    if (error instanceof ModelRefused || isOfFile(error)) throw error
    throw new Passing(describeFailure(error), { cause: error })
  }
  if (total !== undefined && part.bytes < total) throw new Passing('the connection was cut')
}

function isOfFile(error: unknown): boolean {
  return ['write', 'ftruncate', 'fsync'].includes((error as NodeJS.ErrnoException).syscall ?? '')
}

function hasChanged({ etag }: Answered, part: PartFile): boolean {
  return etag !== undefined && part.etag !== undefined && etag !== part.etag
}

/** Before a byte of it is taken; what is here is kept, for a proxy's page may have come in its place. */
function refuseOther({ sizeBytes }: Answered, wanted: Wanted): void {
  if (sizeBytes === undefined || wanted.sizeBytes === undefined) return
  if (sizeBytes === wanted.sizeBytes) return
  throw new ModelRefused(
    `${wanted.url} has ${sizeBytes} bytes, and should have ${wanted.sizeBytes}: it is another file.`,
  )
}

function refuseWrong(part: PartFile, { url, sha256 }: Wanted, path: string): void {
  const found = part.sha256()
  if (sha256 !== undefined && found !== sha256) {
    throw new WrongContent(
      `What ${url} sent is not what it should be: its SHA-256 is ${found}, and should be ${sha256}. It is ` +
        'deleted. Run this again; where it comes to the same, do not use that address.',
    )
  }
  const reading = readGguf(path)
  if (reading.kind === 'gguf') return
  throw new WrongContent(`What ${url} sent cannot be run, and is deleted: ${reading.reason}.`)
}

function explainGivingUp(part: PartFile, error: Error): ModelRefused {
  const kept =
    part.bytes > 0
      ? ` What has come is kept (${part.bytes} bytes): run this again, and it goes on where it was.`
      : ' Look at the network, or name a mirror of the hub by --hub.'
  return new ModelRefused(`The download does not come on: ${error.message}.${kept}`, {
    cause: error,
  })
}

/** Ends a request on which nothing has come for too long. */
function watchIdle({ signal, idleMs = IDLE_MS }: Downloading) {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), idleMs)
  return {
    signal: AbortSignal.any([signal, idle.signal]),
    alive: () => void timer.refresh(),
    isIdle: () => idle.signal.aborted && !signal.aborted,
    end: () => clearTimeout(timer),
  }
}
