import { encodeReply, type FixedReplies } from '../../test/support/fake-upstream/index.ts'

/** One kind of request with the reply that is expected to it. */
export interface Workload {
  readonly name: 'JSON' | 'SSE'
  readonly streamed: boolean
  readonly content: string
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number }
  readonly replies: FixedReplies
}

export type WorkloadName = Workload['name']

/** The contract's prices of air, whole nano-euros a token: not ours, so that ours are checked. */
const INPUT_NANO = 260
const OUTPUT_NANO = 3_100

/** Low enough that the upstream is asked for the whole reply at once. */
const MAX_TOKENS = 256

const SENTENCE =
  'Everything that the committee considered yesterday evening concerned transportation between ' +
  'neighbouring municipalities. '
const QUESTION =
  'Summarise what the committee decided about transportation, in the order of its agenda, with ' +
  'the reasons that were given and the objections that were raised, for somebody who was not there.'

/** About 2 KB with what is around it. */
const JSON_CONTENT = SENTENCE.repeat(15).slice(0, 1_700)
const SSE_CHUNKS = Array.from({ length: 50 }, (_, place) => SENTENCE.split(' ')[place % 12] + ' ')

export const WORKLOADS: readonly Workload[] = [
  describeWorkload('JSON', [JSON_CONTENT], { promptTokens: 60, completionTokens: 250 }),
  describeWorkload('SSE', SSE_CHUNKS, { promptTokens: 60, completionTokens: 50 }),
]

function describeWorkload(
  name: WorkloadName,
  deltas: readonly string[],
  usage: Workload['usage'],
): Workload {
  const replies = encodeReply({ deltas, usage, dialect: 'vllm' })
  return { name, streamed: name === 'SSE', content: deltas.join(''), usage, replies }
}

export function findWorkload(name: WorkloadName): Workload {
  const found = WORKLOADS.find((workload) => workload.name === name)
  if (!found) throw new Error(`there is no workload ${name}`)
  return found
}

/** What one reply must cost, in nano-euros. */
export function costOf({ usage }: Workload): number {
  return usage.promptTokens * INPUT_NANO + usage.completionTokens * OUTPUT_NANO
}

export function writeBody({ streamed }: Workload): string {
  return JSON.stringify({
    model: 'bench',
    messages: [{ role: 'user', content: QUESTION }],
    max_tokens: MAX_TOKENS,
    stream: streamed,
    ...(streamed && { stream_options: { include_usage: true } }),
  })
}
