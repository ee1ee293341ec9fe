import { encodeReply } from '../../test/support/fake-upstream/index.ts'

/** Every reply is the same: so many tokens, each a chunk of its own, so far apart. */
export const TOKENS = 40
export const PAUSE_MS = 20
/** What the upstream says of the prompt below; nobody's own estimate is lower. */
export const PROMPT_TOKENS = 40

/** In nano-euros a token: prime's of the contract, and what the others are set to. */
export const PRICES = { input: 1_800, output: 6_200 } as const
export const REPLY_NANO = costOf(TOKENS)

/** A token for everybody who counts. */
export const WORD = 'word'

const QUESTION =
  'Please tell me, in a few plain words, which way the river goes when the rain has come down from ' +
  'the hills in the north, and why the people of the town still build their houses so near to it.'

/** What a reply of so many tokens costs, in nano-euros. */
export function costOf(tokens: number): number {
  return PROMPT_TOKENS * PRICES.input + tokens * PRICES.output
}

/** A request as its client and the upstream know it. */
export interface Mark {
  readonly number: number
  /** After so many tokens the upstream breaks off; never where it is 0. */
  readonly breaksAfter: number
}

const MARK = /#(\d+)\/(\d+)#/

export function writeBody(model: string, { number, breaksAfter }: Mark): string {
  return JSON.stringify({
    model,
    messages: [{ role: 'user', content: `#${number}/${breaksAfter}# ${QUESTION}` }],
    max_tokens: TOKENS,
    stream: true,
    stream_options: { include_usage: true },
  })
}

export function readMark(body: string): Mark | undefined {
  const [, number, breaksAfter] = MARK.exec(body) ?? []
  if (number === undefined) return undefined
  return { number: Number(number), breaksAfter: Number(breaksAfter) }
}

/** The writes of a reply; those with a token have the word. */
export function encodeStream(): readonly Buffer[] {
  const deltas = Array.from({ length: TOKENS }, (_, place) => (place === 0 ? WORD : ` ${WORD}`))
  const usage = { promptTokens: PROMPT_TOKENS, completionTokens: TOKENS }
  return encodeReply({ deltas, usage, dialect: 'vllm' }).sse
}
