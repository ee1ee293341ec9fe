import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** What the header of a GGUF file says of the model in it. */
export interface GgufHeader {
  /** Such as `qwen3`: which program of the engine runs it. */
  readonly architecture: string
  /** As its maker calls it. */
  readonly name: string | undefined
  readonly licence: string | undefined
  /** The longest context it was made for, in tokens. */
  readonly contextTokens: number | undefined
  /** Whether it says how a conversation is written down; without, it only goes on with text. */
  readonly hasChatTemplate: boolean
}

export type GgufReading =
  | { readonly kind: 'gguf'; readonly header: GgufHeader }
  | { readonly kind: 'refused'; readonly reason: string }

const MAGIC = 'GGUF'
/** Version 1 had shorter figures, and the engine does not read it either. */
const VERSIONS = [2, 3]
/** Far more than any model has; a file that says more is damaged, or meant to keep us busy. */
const MAX_ENTRIES = 65_536
/** Weights begin at multiples of it. */
const DEFAULT_ALIGNMENT = 32
const MAX_KEPT_CHARACTERS = 1_024

/** Whether these first bytes of a file are those of a GGUF; fewer than four may be. */
export function mayBeGguf(bytes: Uint8Array): boolean {
  return MAGIC.startsWith(Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1'))
}

/**
 * Reads the header of a file, and refuses what is no GGUF, or ends too early. Never throws but for failures of the
 * file system. Of the weights nothing is read.
 */
export function readGguf(path: string): GgufReading {
  const file = openSync(path, 'r')
  try {
    return { kind: 'gguf', header: readHeader(createCursor(file)) }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    return { kind: 'refused', reason: error.message }
  } finally {
    closeSync(file)
  }
}

class Damaged extends Error {}

function readHeader(cursor: Cursor): GgufHeader {
  if (cursor.size < 24 || cursor.take(4).toString('latin1') !== MAGIC) {
    throw new Damaged('it is no GGUF file: it does not begin as one')
  }
  const version = cursor.take(4).readUInt32LE()
  if (!VERSIONS.includes(version)) {
    throw new Damaged(`it is of GGUF version ${version}, and only 2 and 3 can be run`)
  }
  const tensors = cursor.count()
  const values = readEntries(cursor, cursor.count())
  const text = (key: string): string | undefined => {
    const value = values.get(key)
    return typeof value === 'string' ? value : undefined
  }
  const architecture = text('general.architecture')
  if (architecture === undefined) throw new Damaged('it does not say which architecture it has')
  refuseCut(cursor, tensors, values.get('general.alignment'))
  const contextTokens = values.get(`${architecture}.context_length`)
  return {
    architecture,
    name: text('general.name'),
    licence: text('general.license'),
    contextTokens: typeof contextTokens === 'number' ? contextTokens : undefined,
    hasChatTemplate: values.has('tokenizer.chat_template'),
  }
}

/** What follows the header is there, as far as the beginning of the last of the weights. */
function refuseCut(cursor: Cursor, tensors: number, alignment: unknown): void {
  if (tensors === 0) throw new Damaged('it has no weights in it')
  if (tensors > MAX_ENTRIES) throw new Damaged(`it says that it has ${tensors} tensors`)
  let last = 0
  for (let tensor = 0; tensor < tensors; tensor += 1) {
    cursor.skip(cursor.count())
    const dimensions = cursor.take(4).readUInt32LE()
    cursor.skip(dimensions * 8 + 4)
    last = Math.max(last, cursor.count())
  }
  const unit = typeof alignment === 'number' && alignment > 0 ? alignment : DEFAULT_ALIGNMENT
  const begin = Math.ceil(cursor.at / unit) * unit
  if (begin + last >= cursor.size) throw new Damaged('it ends before the last of its weights')
}

/** Texts and whole numbers of the top level; the rest, such as vocabularies, is passed over. */
function readEntries(cursor: Cursor, count: number): Map<string, string | number> {
  if (count > MAX_ENTRIES) throw new Damaged(`it says that its header has ${count} entries`)
  const values = new Map<string, string | number>()
  for (let entry = 0; entry < count; entry += 1) {
    const key = cursor.text(MAX_KEPT_CHARACTERS)
    const type = cursor.take(4).readUInt32LE()
    const value = readValue(cursor, type)
    if (value !== undefined) values.set(key, value)
  }
  return values
}

const TEXT = 8
const ARRAY = 9
/** By the number of their type: u8, i8, u16, i16, u32, i32, f32, bool, then u64, i64, f64. */
const WIDTHS: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}

function readValue(cursor: Cursor, type: number): string | number | undefined {
  switch (type) {
    case TEXT:
      return cursor.text(MAX_KEPT_CHARACTERS)
    case ARRAY:
      skipArray(cursor)
      return undefined
    case 4:
      return cursor.take(4).readUInt32LE()
    case 10:
      return cursor.count()
    default:
      cursor.skip(widthOf(type))
      return undefined
  }
}

function skipArray(cursor: Cursor): void {
  const type = cursor.take(4).readUInt32LE()
  const length = cursor.count()
  if (type === ARRAY) throw new Damaged('its header has lists in lists')
  if (type !== TEXT) return cursor.skip(widthOf(type) * length)
  for (let index = 0; index < length; index += 1) cursor.skip(cursor.count())
}

function widthOf(type: number): number {
  const width = WIDTHS[type]
  if (width === undefined) throw new Damaged(`its header has a value of unknown type (${type})`)
  return width
}

/** Reads a file from its beginning to its end; throws a Damaged at the end. */
interface Cursor {
  readonly size: number
  readonly at: number
  take(bytes: number): Buffer
  skip(bytes: number): void
  /** An unsigned number of eight bytes. */
  count(): number
  /** A text, of which no more than so many bytes are kept. */
  text(maxBytes: number): string
}

const PIECE_BYTES = 1 << 16

function createCursor(file: number): Cursor {
  const { size } = fstatSync(file)
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  /** Where in the file the piece begins, how much of it is filled, and where in the file we are. */
  let begin = 0
  let filled = 0
  let at = 0

  function skip(bytes: number): void {
    if (bytes > size - at) throw new Damaged('it ends in the middle of its header')
    at += bytes
  }

  function take(bytes: number): Buffer {
    const from = at
    skip(bytes)
    if (from < begin || from + bytes > begin + filled) {
      begin = from
      filled = readSync(file, piece, 0, PIECE_BYTES, from)
      if (filled < bytes) throw new Damaged('it ends in the middle of its header')
    }
    return piece.subarray(from - begin, from - begin + bytes)
  }

  function count(): number {
    const value = take(8).readBigUInt64LE()
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Damaged('its header has absurd figures')
    return Number(value)
  }

  return {
    size,
    get at() {
      return at
    },
    take,
    skip,
    count,
    text(maxBytes) {
      const length = count()
      const kept = take(Math.min(length, maxBytes)).toString('utf8')
      skip(length - Math.min(length, maxBytes))
      return kept
    },
  }
}
