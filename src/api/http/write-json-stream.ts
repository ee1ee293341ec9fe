/** A value that becomes JSON piece by piece: an async iterable in it is an array that is read as it is written. */
export type Streamed = unknown

/** Pieces that are sent at once: a line each would be a packet each. */
const CHUNK_LENGTH = 16_384

/** Holds a few pages of it at most, however long its lists are. */
export async function* writeJsonStream(value: Streamed): AsyncGenerator<string> {
  let chunk = ''
  for await (const piece of writePieces(value)) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}\n`
}

async function* writePieces(value: Streamed): AsyncGenerator<string> {
  if (isList(value)) yield* writeList(value)
  else if (holdsList(value)) yield* writeObject(value)
  else yield JSON.stringify(value)
}

async function* writeList(list: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '['
  for await (const item of list) {
    yield `${before}\n`
    yield* writePieces(item)
    before = ','
  }
  yield before === '[' ? '[]' : '\n]'
}

async function* writeObject(object: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    yield `${before}\n${JSON.stringify(name)}: `
    yield* writePieces(value)
    before = ','
  }
  yield '\n}'
}

function isList(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function holdsList(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).some((inner) => isList(inner) || holdsList(inner))
}
