import { closeSync, openSync, writeSync } from 'node:fs'
import { createRandom } from '../../test/support/random.ts'
import { ALIGNMENT, encodeHead, type TensorInfo } from '../../test/support/llama/write-gguf.ts'

/** How a published model is built: what its speed and memory depend on. */
export interface Shape {
  readonly name: string
  readonly layers: number
  readonly width: number
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
  readonly feedForward: number
  readonly vocabulary: number
  readonly contextTokens: number
}

/** By the `config.json` that its maker publishes; the words' vectors are its output's too. */
export const QWEN3_0_6B: Shape = {
  name: 'Qwen3 0.6B',
  layers: 28,
  width: 1_024,
  heads: 16,
  keyHeads: 8,
  headWidth: 128,
  feedForward: 3_072,
  vocabulary: 151_936,
  contextTokens: 40_960,
}

export const QWEN3_1_7B: Shape = {
  ...QWEN3_0_6B,
  name: 'Qwen3 1.7B',
  width: 2_048,
  feedForward: 6_144,
}

/** 32 weights of 8 bits and their scale, a half float. */
const Q8_0 = { type: 8, weights: 32, bytes: 34 }
const F32 = { type: 0, weights: 1, bytes: 4 }

/** Written again and again, for what is in the weights makes no difference to the time they take. */
const NOISE_BLOCKS = 4_096
/** A half float of about 0.0002: sums stay small, and nothing overflows. */
const SCALE = 0x0a_8e

const TEMPLATE = `{%- for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{%- endfor %}{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{%- endif %}`
const CONTROL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']

/** Writes a model of a shape whose weights are noise, of 8 bits each: it runs like the real one, and says nothing. */
export function writeShapedModel(path: string, shape: Shape): void {
  const tensors = listTensors(shape)
  let offset = 0
  const infos = tensors.map(({ name, dimensions, format }): TensorInfo => {
    const info = { name, shape: dimensions, type: format.type, offset }
    offset += roundUp(countBytes(dimensions, format))
    return info
  })
  const file = openSync(path, 'w')
  try {
    writeSync(file, encodeHead(describe(shape), infos))
    const noise = makeNoise()
    for (const { dimensions, format } of tensors) {
      const bytes = roundUp(countBytes(dimensions, format))
      if (format === F32) writeSync(file, ones(bytes))
      else writeRepeated(file, noise, bytes)
    }
  } finally {
    closeSync(file)
  }
}

interface Tensor {
  readonly name: string
  readonly dimensions: readonly number[]
  readonly format: typeof Q8_0
}

function listTensors({
  layers,
  width,
  heads,
  keyHeads,
  headWidth,
  feedForward,
  vocabulary,
}: Shape): Tensor[] {
  const matrix = (name: string, columns: number, rows: number): Tensor => ({
    name: `${name}.weight`,
    dimensions: [columns, rows],
    format: Q8_0,
  })
  const norm = (name: string, length: number): Tensor => ({
    name: `${name}.weight`,
    dimensions: [length],
    format: F32,
  })
  const layer = (_: unknown, index: number): Tensor[] => {
    const at = `blk.${index}`
    return [
      norm(`${at}.attn_norm`, width),
      matrix(`${at}.attn_q`, width, heads * headWidth),
      matrix(`${at}.attn_k`, width, keyHeads * headWidth),
      matrix(`${at}.attn_v`, width, keyHeads * headWidth),
      norm(`${at}.attn_q_norm`, headWidth),
      norm(`${at}.attn_k_norm`, headWidth),
      matrix(`${at}.attn_output`, heads * headWidth, width),
      norm(`${at}.ffn_norm`, width),
      matrix(`${at}.ffn_gate`, width, feedForward),
      matrix(`${at}.ffn_up`, width, feedForward),
      matrix(`${at}.ffn_down`, feedForward, width),
    ]
  }
  return [
    matrix('token_embd', width, vocabulary),
    norm('output_norm', width),
    ...Array.from({ length: layers }, layer).flat(),
  ]
}

function describe(shape: Shape) {
  const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(33 + index)).slice(
    0,
    94,
  )
  // "Ġ" is how such vocabularies write a space, "Ċ" a line's end.
  const words = [...CONTROL, ...letters, 'Ġ', 'Ċ']
  const tokens = Array.from(
    { length: shape.vocabulary },
    (_, index) => words[index] ?? `Ġword${index}`,
  )
  return {
    'general.architecture': 'qwen3',
    'general.name': `noise of the shape of ${shape.name}`,
    'general.file_type': 7,
    'general.quantization_version': 2,
    'qwen3.block_count': shape.layers,
    'qwen3.context_length': shape.contextTokens,
    'qwen3.embedding_length': shape.width,
    'qwen3.feed_forward_length': shape.feedForward,
    'qwen3.attention.head_count': shape.heads,
    'qwen3.attention.head_count_kv': shape.keyHeads,
    'qwen3.attention.key_length': shape.headWidth,
    'qwen3.attention.value_length': shape.headWidth,
    'qwen3.attention.layer_norm_rms_epsilon': { float: 1e-6 },
    'qwen3.rope.freq_base': { float: 1_000_000 },
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'qwen2',
    'tokenizer.ggml.tokens': tokens,
    'tokenizer.ggml.token_type': {
      integers: tokens.map((token) => (CONTROL.includes(token) ? 3 : 1)),
    },
    'tokenizer.ggml.merges': ['a b'],
    'tokenizer.ggml.bos_token_id': 0,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.chat_template': TEMPLATE,
  }
}

function countBytes(dimensions: readonly number[], { weights, bytes }: Tensor['format']): number {
  return (dimensions.reduce((product, one) => product * one, 1) / weights) * bytes
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}

function makeNoise(): Buffer {
  const random = createRandom(7)
  const noise = Buffer.alloc(NOISE_BLOCKS * Q8_0.bytes)
  for (let block = 0; block < noise.length; block += Q8_0.bytes) {
    noise.writeUInt16LE(SCALE, block)
    for (let at = 2; at < Q8_0.bytes; at += 1) {
      noise.writeInt8(random.between(-127, 127), block + at)
    }
  }
  return noise
}

function ones(bytes: number): Buffer {
  const values = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 4) values.writeFloatLE(1, at)
  return values
}

function writeRepeated(file: number, piece: Buffer, bytes: number): void {
  for (let left = bytes; left > 0; left -= piece.length) {
    writeSync(file, piece, 0, Math.min(left, piece.length))
  }
}
