/** The bytes of a GGUF file: a header that says this, and as many bytes as weights. */
export interface GgufShape {
  readonly version?: number
  readonly tensors?: number
  /** Texts and numbers of 32 bits. */
  readonly entries?: Readonly<Record<string, string | number | readonly string[]>>
  readonly weightBytes?: number
}

export const ENTRIES = {
  'general.architecture': 'qwen3',
  'general.name': 'Tiny',
  'general.license': 'apache-2.0',
  'qwen3.context_length': 2_048,
  'tokenizer.ggml.tokens': ['a', 'b', 'a longer one'],
  'tokenizer.chat_template': '{{ messages }}',
} as const

/** Not of a pattern that repeats: bytes that came twice or are missing change the hash. */
export function makeGguf({
  version = 3,
  tensors = 1,
  entries = ENTRIES,
  weightBytes = 300_000,
}: GgufShape = {}): Buffer {
  const weights = Buffer.alloc(weightBytes)
  for (let at = 0; at + 4 <= weightBytes; at += 4) {
    weights.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at)
  }
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(version),
    u64(tensors),
    u64(Object.keys(entries).length),
    ...Object.entries(entries).flatMap(([key, value]) => [text(key), ...valueOf(value)]),
    weights,
  ])
}

function valueOf(value: string | number | readonly string[]): Buffer[] {
  if (typeof value === 'number') return [u32(4), u32(value)]
  if (typeof value === 'string') return [u32(8), text(value)]
  return [u32(9), u32(8), u64(value.length), ...value.map(text)]
}

function text(value: string): Buffer {
  return Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
