import { encodeHead, type GgufValue } from '../support/llama/write-gguf.ts'

/** The bytes of a GGUF file: a header that says this, and as many bytes as weights. */
export interface GgufShape {
  readonly version?: number
  readonly tensors?: number
  readonly entries?: Readonly<Record<string, GgufValue>>
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

export function makeGguf({
  version = 3,
  tensors = 1,
  entries = ENTRIES,
  weightBytes = 300_000,
}: GgufShape = {}): Buffer {
  const infos = Array.from({ length: tensors }, (_, index) => ({
    name: `weights ${index}`,
    shape: [weightBytes / 4],
    type: 0,
    offset: 0,
  }))
  const head = encodeHead(entries, infos)
  head.writeUInt32LE(version, 4)
  return Buffer.concat([head, makeWeights(weightBytes)])
}

/** Not of a pattern that repeats: bytes that came twice or are missing change the hash. */
function makeWeights(bytes: number): Buffer {
  const weights = Buffer.alloc(bytes)
  for (let at = 0; at + 4 <= bytes; at += 4) {
    weights.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at)
  }
  return weights
}
