import { encodeReply } from '../../test/support/fake-upstream/index.ts'

/** What a contestant is asked for, and by which of its models. */
export interface Workload {
  readonly name: WorkloadName
  readonly model: ModelName
  readonly isStream: boolean
  /** A message each. */
  readonly prompts: readonly string[]
  /** How many are under way at once; each is a setting of its own. */
  readonly concurrencies: readonly number[]
  /** Streams that last seconds are not asked for again and again within a round: it ends with them. */
  readonly isOnce?: boolean
}

export type WorkloadName = 'JSON 2 KB' | 'JSON 1 MB' | 'SSE' | 'SSE 5 ms' | 'SSE slow'

/** Each has an upstream of its own, which pauses so long between two chunks of a stream. */
export const PAUSES_MS = { air: 0, prime: 5, nova: 100 } as const
export type ModelName = keyof typeof PAUSES_MS

export const CHUNKS = 50
/** Low enough that whole replies are asked of the upstream as whole ones. */
const WHOLE_TOKENS = 256
/** The times in its chunks are counted as many tokens: a stream that seems to overrun would be cut. */
const STREAM_TOKENS = 1_024

const QUESTION =
  'Summarise what the committee decided about transportation, in the order of its agenda, with ' +
  'the reasons that were given and the objections that were raised, for somebody who was not there.'
const SENTENCE =
  'Everything that the committee considered yesterday evening concerned transportation between ' +
  'neighbouring municipalities. '
/** Deeply indented code: a megabyte of it is few enough tokens for the windows and limits of everybody. */
const CODE_LINE = `${' '.repeat(100)}x = 1\n`
const MEGABYTE = 1_048_576

export const WORKLOADS: readonly Workload[] = [
  {
    name: 'JSON 2 KB',
    model: 'air',
    isStream: false,
    prompts: [QUESTION],
    concurrencies: [1, 64, 512],
  },
  {
    name: 'JSON 1 MB',
    model: 'prime',
    isStream: false,
    prompts: Array.from({ length: 8 }, () => CODE_LINE.repeat(MEGABYTE / 8 / CODE_LINE.length)),
    concurrencies: [1, 16],
  },
  { name: 'SSE', model: 'air', isStream: true, prompts: [QUESTION], concurrencies: [1, 64] },
  { name: 'SSE 5 ms', model: 'prime', isStream: true, prompts: [QUESTION], concurrencies: [64] },
  {
    name: 'SSE slow',
    model: 'nova',
    isStream: true,
    prompts: [QUESTION],
    concurrencies: [500],
    isOnce: true,
  },
]

export function findWorkload(name: WorkloadName): Workload {
  const found = WORKLOADS.find((workload) => workload.name === name)
  if (!found) throw new Error(`there is no workload ${name}`)
  return found
}

export function writeBody({ isStream, prompts }: Workload, model: string): string {
  return JSON.stringify({
    model,
    messages: prompts.map((content) => ({ role: 'user', content })),
    max_tokens: isStream ? STREAM_TOKENS : WHOLE_TOKENS,
    stream: isStream,
    ...(isStream && { stream_options: { include_usage: true } }),
  })
}

export const USAGE = { promptTokens: 60, completionTokens: CHUNKS }

/** What every whole reply says: 2 KB with what is around it. */
export const WHOLE_TEXT = SENTENCE.repeat(15).slice(0, 1_700)

export function encodeWhole(): Buffer {
  return encodeReply({ deltas: [WHOLE_TEXT], usage: USAGE, dialect: 'vllm' }).json
}

/** Stands in each chunk of a stream in the place of the time at which it is sent. */
const PLACE_OF_TIME = '@0000000000000.000'
const TIME = /@(\d{13}\.\d{3})/g

/** The writes of a stream; those of its chunks have a place for the time. */
export function encodeStream(): readonly Buffer[] {
  const deltas = Array.from({ length: CHUNKS }, () => `${PLACE_OF_TIME} `)
  return encodeReply({ deltas, usage: USAGE, dialect: 'vllm' }).sse
}

/** In milliseconds since 1970: two processes of one machine have one clock for it. */
export function readClockMs(): number {
  return performance.timeOrigin + performance.now()
}

export function stamp(chunk: Buffer): Buffer {
  const at = chunk.indexOf(PLACE_OF_TIME)
  if (at < 0) return chunk
  const stamped = Buffer.from(chunk)
  stamped.write(`@${readClockMs().toFixed(3)}`, at, 'latin1')
  return stamped
}

/** The times of the chunks that a piece of a stream has. */
export function readStamps(text: string): number[] {
  return Array.from(text.matchAll(TIME), ([, time]) => Number(time))
}
