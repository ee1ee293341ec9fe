/** What has come of a body so far. */
export interface Gatherer {
  add(chunk: Buffer): void
  size(): number
  bytes(): Buffer
  clear(): void
}

const NONE = Buffer.alloc(0)

/**
 * Gathers chunks in one piece of memory, at most twice as large as what came. A list of chunks would
 * not do: each keeps all of the read alive that it came with, and a body of 16 MiB can come byte by
 * byte, in sixteen million of them.
 */
export function createGatherer(): Gatherer {
  let room: Buffer = NONE
  let size = 0
  return {
    add(chunk) {
      if (size === 0) {
        // Most bodies are one chunk, which is not copied.
        room = chunk
      } else {
        if (size + chunk.length > room.length) room = grow(room, size, size + chunk.length)
        chunk.copy(room, size)
      }
      size += chunk.length
    },
    size: () => size,
    bytes: () => room.subarray(0, size),
    clear() {
      room = NONE
      size = 0
    },
  }
}

function grow(room: Buffer, size: number, needed: number): Buffer {
  const grown = Buffer.allocUnsafeSlow(Math.max(2 * size, needed))
  room.copy(grown, 0, 0, size)
  return grown
}
