import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open, rename, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sync } from '#platform/files.ts'

/** What the bytes that are here belong to: others are not mixed with them. */
export interface Origin {
  readonly url: string
  /** What they must be in the end, where that is known. */
  readonly sha256: string | undefined
}

/** A file that is being downloaded, `<its path>.part`; what it is of is beside it, `.part.json`. */
export interface PartFile {
  readonly bytes: number
  /** What the server marked its content with. */
  readonly etag: string | undefined
  append(piece: Uint8Array): Promise<void>
  /** Begins anew, with another content. */
  restart(etag: string | undefined): Promise<void>
  sha256(): string
  /** Writes it to the disk, under its own name. */
  finish(): Promise<void>
  /** Keeps what is there, so that it can be gone on with. */
  close(): Promise<void>
  remove(): Promise<void>
}

interface State extends Origin {
  readonly etag: string | undefined
}

export function partPathOf(path: string): string {
  return `${path}.part`
}

/** How much of a file is here already. */
export function countPart(path: string, origin: Origin): number {
  const part = partPathOf(path)
  if (!existsSync(part) || readState(part, origin) === undefined) return 0
  return statSync(part).size
}

/** Deletes what is there of a download that was broken off. Returns whether there was any. */
export function removePart(path: string): boolean {
  const part = partPathOf(path)
  const isThere = existsSync(part)
  for (const one of [part, statePathOf(part)]) rmSync(one, { force: true })
  return isThere
}

/**
 * Opens what is there of a download, or an empty one. What is there is read, for the hash is of the whole file,
 * and `onBytes` is told how much of it.
 */
export async function openPart(
  path: string,
  origin: Origin,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (bytes: number) => void },
): Promise<PartFile> {
  const part = partPathOf(path)
  const state = readState(part, origin)
  if (!state) removePart(path)
  const file = await open(part, 'a', 0o600)
  try {
    const { hash, bytes } = await hashWhatIsThere(part, signal, onBytes)
    const opened: Opened = { path, part, origin, file, hash, bytes, etag: state?.etag }
    if (!state) await writeState(opened)
    return createPartFile(opened)
  } catch (error) {
    await file.close()
    throw error
  }
}

interface Opened {
  readonly path: string
  readonly part: string
  readonly origin: Origin
  readonly file: FileHandle
  hash: Hash
  bytes: number
  etag: string | undefined
}

function createPartFile(opened: Opened): PartFile {
  const { path, part, file } = opened
  return {
    get bytes() {
      return opened.bytes
    },
    get etag() {
      return opened.etag
    },
    async append(piece) {
      await file.appendFile(piece)
      opened.hash.update(piece)
      opened.bytes += piece.length
    },
    async restart(etag) {
      await file.truncate(0)
      Object.assign(opened, { hash: createHash('sha256'), bytes: 0, etag })
      await writeState(opened)
    },
    sha256: () => opened.hash.copy().digest('hex'),
    async finish() {
      await file.sync()
      await file.close()
      await rename(part, path)
      rmSync(statePathOf(part), { force: true })
      await sync(dirname(path))
    },
    close: () => file.close(),
    async remove() {
      await file.close()
      removePart(path)
    },
  }
}

async function hashWhatIsThere(
  part: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
) {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(part, { signal, highWaterMark: 1 << 20 })) {
    hash.update(piece as Buffer)
    bytes += (piece as Buffer).length
    onBytes(bytes)
  }
  return { hash, bytes }
}

function statePathOf(part: string): string {
  return `${part}.json`
}

/** Undefined where there is none, or of something else. */
function readState(part: string, { url, sha256 }: Origin): State | undefined {
  try {
    const state = JSON.parse(readFileSync(statePathOf(part), 'utf8')) as Partial<State> | null
    if (state?.url !== url || state.sha256 !== sha256) return undefined
    return { url, sha256, etag: state.etag }
  } catch {
    return undefined
  }
}

function writeState({ part, origin, etag }: Opened): Promise<void> {
  return writeFile(statePathOf(part), JSON.stringify({ ...origin, etag }), {
    mode: 0o600,
    flush: true,
  })
}
