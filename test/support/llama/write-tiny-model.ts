import { createRandom } from '../random.ts'
import { writeGguf, type GgufTensor } from './write-gguf.ts'

export interface TinyModel {
  /**
   * What it says, by heart: it knows only which piece follows which, so no piece may be followed by two
   * different ones. A reply begins with what follows a line's end. Default: it never ends.
   */
  readonly lines?: readonly string[]
  /** How many tokens it was trained for, so to say. */
  readonly contextTokens?: number
}

/** Pieces that are one token each; all else is a token a byte, but for these merged pairs. */
const SPECIAL = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<think>',
  '</think>',
  '<tool_call>{"name": "',
  '</tool_call>',
]
const MERGED = [
  ['t', 'h'],
  ['q', 'u'],
] as const

const NORMAL_TOKEN = 1
const CONTROL_TOKEN = 3
const USER_DEFINED_TOKEN = 4

const WIDTH = 288
const HEADS = 2
const HEAD_WIDTH = 16
const FEED_FORWARD = 32

/** As models of today have it: tools in the first message, calls and their results between tags. */
const TEMPLATE = `{%- if tools %}{{ '<|im_start|>system\n' }}{%- if messages[0].role == 'system' %}{{ messages[0].content + '\n\n' }}{%- endif %}{{ 'Tools:' }}{%- for tool in tools %}{{ '\n' + (tool | tojson) }}{%- endfor %}{{ '<|im_end|>\n' }}{%- elif messages[0].role == 'system' %}{{ '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}{%- endif %}{%- for message in messages %}{%- if message.role == 'user' or (message.role == 'system' and not loop.first) %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{%- elif message.role == 'assistant' %}{{ '<|im_start|>assistant\n' + (message.content or '') }}{%- if message.tool_calls %}{%- for call in message.tool_calls %}{{ '<tool_call>{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}</tool_call>' }}{%- endfor %}{%- endif %}{{ '<|im_end|>\n' }}{%- elif message.role == 'tool' %}{{ '<|im_start|>tool\n' + message.content + '<|im_end|>\n' }}{%- endif %}{%- endfor %}{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{%- if enable_thinking is defined and enable_thinking is false %}{{ '<think></think>' }}{%- endif %}{%- endif %}`

const ENDLESS = ['\nabcdefghijklmnopqursé vwxyz,0123456789.ABCDEFG', 'Ga']

/**
 * Writes a model file of half a megabyte that llama.cpp runs as it runs any: one layer, a vocabulary of
 * bytes, weights that are seeded noise but for a memory of what follows each token. Its context has a
 * small say too, by its noise, so that a mixed-up one shows.
 */
export function writeTinyModel(
  path: string,
  { lines = ENDLESS, contextTokens = 2_048 }: TinyModel = {},
): void {
  const vocabulary = [...byteTokens(), ...MERGED.map(([a, b]) => a + b), ...SPECIAL]
  const kinds = vocabulary.map((token) => {
    if (!SPECIAL.includes(token)) return NORMAL_TOKEN
    return token.startsWith('<|') ? CONTROL_TOKEN : USER_DEFINED_TOKEN
  })
  const metadata = {
    'general.architecture': 'llama',
    'general.name': 'tiny',
    'general.file_type': 1,
    'general.quantization_version': 2,
    'llama.context_length': contextTokens,
    'llama.embedding_length': WIDTH,
    'llama.block_count': 1,
    'llama.feed_forward_length': FEED_FORWARD,
    'llama.attention.head_count': HEADS,
    'llama.attention.head_count_kv': HEADS,
    'llama.attention.key_length': HEAD_WIDTH,
    'llama.attention.value_length': HEAD_WIDTH,
    'llama.attention.layer_norm_rms_epsilon': { float: 1e-5 },
    'llama.rope.dimension_count': HEAD_WIDTH,
    'llama.rope.freq_base': { float: 10_000 },
    'llama.vocab_size': vocabulary.length,
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'gpt-2',
    'tokenizer.ggml.tokens': vocabulary,
    'tokenizer.ggml.token_type': { integers: kinds },
    'tokenizer.ggml.merges': MERGED.map((pair) => pair.join(' ')),
    'tokenizer.ggml.bos_token_id': vocabulary.indexOf('<|endoftext|>'),
    'tokenizer.ggml.eos_token_id': vocabulary.indexOf('<|im_end|>'),
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.chat_template': TEMPLATE,
  }
  writeGguf(path, metadata, makeTensors(vocabulary, lines))
}

function makeTensors(vocabulary: readonly string[], lines: readonly string[]): GgufTensor[] {
  const random = createRandom(11)
  const noise = (name: string, columns: number, rows: number, scale: number): GgufTensor => {
    const values = Float32Array.from(
      { length: columns * rows },
      () => (random.between(-1_000, 1_000) / 1_000) * scale,
    )
    return { name, shape: [columns, rows], values }
  }
  const ones = (name: string): GgufTensor => ({
    name,
    shape: [WIDTH],
    values: new Float32Array(WIDTH).fill(1),
  })
  const embedding = noise('token_embd.weight', WIDTH, vocabulary.length, 0.001)
  const output = noise('output.weight', WIDTH, vocabulary.length, 0.02)
  // A column each: what a token is, is where it points to.
  for (const token of vocabulary.keys()) embedding.values[token * WIDTH + token] = 1
  for (const [before, after] of followers(vocabulary, lines)) {
    output.values[after * WIDTH + before] = 0.8
  }
  const width = HEADS * HEAD_WIDTH
  return [
    embedding,
    ones('output_norm.weight'),
    output,
    ones('blk.0.attn_norm.weight'),
    noise('blk.0.attn_q.weight', WIDTH, width, 0.1),
    noise('blk.0.attn_k.weight', WIDTH, width, 0.1),
    noise('blk.0.attn_v.weight', WIDTH, width, 0.1),
    noise('blk.0.attn_output.weight', width, WIDTH, 0.01),
    ones('blk.0.ffn_norm.weight'),
    noise('blk.0.ffn_gate.weight', WIDTH, FEED_FORWARD, 0.05),
    noise('blk.0.ffn_up.weight', WIDTH, FEED_FORWARD, 0.05),
    noise('blk.0.ffn_down.weight', FEED_FORWARD, WIDTH, 0.02),
  ]
}

function followers(vocabulary: readonly string[], lines: readonly string[]): Map<number, number> {
  const found = new Map<number, number>()
  for (const line of lines) {
    const tokens = cut(line).map((piece) => vocabulary.indexOf(piece))
    for (const [index, token] of tokens.entries()) {
      const next = tokens[index + 1]
      if (next === undefined) continue
      const known = found.get(token)
      if (known !== undefined && known !== next) {
        throw new Error(
          `${JSON.stringify(vocabulary[token])} is followed by two in ${lines.join()}`,
        )
      }
      found.set(token, next)
    }
  }
  return found
}

function cut(line: string): string[] {
  const whole = [...SPECIAL, ...MERGED.map((pair) => pair.join(''))].map((text) =>
    RegExp.escape(text),
  )
  return line
    .split(new RegExp(`(${whole.join('|')})`))
    .flatMap((part, index) => (index % 2 === 1 ? [part] : bytesOf(part)))
}

function bytesOf(text: string): string[] {
  const letters = byteTokens()
  return Array.from(Buffer.from(text), (byte) => letters[byte] ?? '')
}

/** A printable character for each byte, as GPT-2 names its tokens. */
function byteTokens(): string[] {
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
    return String.fromCodePoint(isPrintable ? byte : next++)
  })
}
