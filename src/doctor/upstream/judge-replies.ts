import { countTokens, estimatePrompt, type UpstreamRequest } from '#models/index.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Reply } from './call-upstream.ts'
import { describeFailure, explainFailure } from './explain-failure.ts'

/** Fewer tokens than this are no sample. */
const MIN_SAMPLE = 8
/** Of a count of ours to the server's: tokenizers differ, though not so much. */
const PLAUSIBLE = { least: 0.4, most: 2.5 } as const

export function judgeWhole(reply: Reply): Finding {
  if (reply.failure) return judgeFailure('It does not answer whole', reply)
  return ok(`Answers whole, after ${Math.round(reply.firstMs + reply.restMs)} ms.`)
}

export function judgeStream(reply: Reply): Finding {
  if (reply.failure) return judgeFailure('It does not stream', reply)
  const { pieces, firstMs, restMs } = reply
  const tokens = reply.usage?.completionTokens ?? countOf(reply)
  if (tokens >= MIN_SAMPLE && pieces <= 1) {
    const found = `Streams, yet ${tokens} tokens came in one piece.`
    return warning(found, 'Switch buffering off in the server, or in the proxy before it.')
  }
  const rate = tokens >= MIN_SAMPLE && restMs > 0 ? (tokens - 1) / (restMs / 1_000) : undefined
  const speed = rate === undefined ? '' : `, then ${formatRate(rate)} tokens/s`
  return ok(`Streams: first token after ${Math.round(firstMs)} ms${speed}.`)
}

function formatRate(rate: number): string {
  return rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')
}

function judgeFailure(what: string, { failure }: Reply): Finding {
  if (!failure) throw new Error('a reply that did not fail')
  return problem(`${what}: ${describeFailure(failure)}.`, explainFailure(failure))
}

/** What callers are charged by: the server's own count, where it can be true. */
export function judgeUsage(
  whole: Reply,
  streamed: Reply,
  { prompt }: Pick<UpstreamRequest, 'prompt'>,
): Finding[] {
  const missing = [...(whole.usage ? [] : ['whole']), ...(streamed.usage ? [] : ['streamed'])]
  if (!whole.usage || !streamed.usage) {
    return [
      warning(
        `Reports no usage on replies that are ${missing.join(' or ')}: tokens are counted from the text.`,
        'Use a server that knows stream_options.include_usage; receipts say "counted" until then.',
      ),
    ]
  }
  const [inWhole, inStream] = [whole.usage.promptTokens, streamed.usage.promptTokens]
  if (inWhole !== inStream) {
    const found = `Counts one prompt as ${inWhole} tokens whole and as ${inStream} streamed.`
    return [warning(found, 'Callers pay what it says: look which count is right.')]
  }
  const { promptTokens, completionTokens } = streamed.usage
  return [
    ...judgeCount('prompt', promptTokens, estimatePrompt(prompt)),
    ...judgeCount('completion', completionTokens, countOf(streamed)),
  ]
}

function judgeCount(what: string, told: number, counted: number): Finding[] {
  const found = `Reports ${told} ${what} tokens; our estimate is ${counted}.`
  const part = told / Math.max(counted, 1)
  if (counted < MIN_SAMPLE && told < MIN_SAMPLE * PLAUSIBLE.most) return [ok(found)]
  if (part >= PLAUSIBLE.least && part <= PLAUSIBLE.most) return [ok(found)]
  const advice =
    part > 1 && what === 'completion'
      ? 'It may think and not show it: callers pay for that. See that this is meant.'
      : 'Callers pay what it says: look whether it cuts prompts or miscounts.'
  return [warning(found, advice)]
}

export function countOf({ content, reasoning }: Reply): number {
  return countTokens(content) + countTokens(reasoning)
}

export function judgeMaxTokens(reply: Reply, maxTokens: number): Finding {
  if (reply.failure) return judgeFailure('It fails with a small max_tokens', reply)
  const tokens = reply.usage?.completionTokens ?? countOf(reply)
  // Of a count that is ours, only the size is known.
  const bound = reply.usage ? maxTokens : maxTokens * PLAUSIBLE.most
  if (tokens > bound) {
    const found = `Went on to ${tokens} tokens where max_tokens was ${maxTokens}.`
    return warning(found, 'Replies are cut off there and callers pay no more; you pay the server.')
  }
  if (reply.finish === 'length') return ok(`Keeps to max_tokens, and finishes with "length".`)
  const found = `Keeps to max_tokens, and finishes with "${reply.finish}" rather than "length".`
  return warning(found, 'Callers cannot see that a reply was cut off.')
}

export function judgeSystemMessages(reply: Reply): Finding {
  if (!reply.failure) {
    return ok('Takes two system messages: the service and its caller have one each.')
  }
  return warning(
    `Refuses a second system message (${describeFailure(reply.failure)}): callers who send one get 502.`,
    'Serve the model with a chat template that takes several system messages.',
  )
}

export type Reasoning = 'apart' | 'in_text' | 'none'

export function findReasoning(replies: readonly Reply[]): Reasoning {
  if (replies.some(({ reasoning }) => reasoning !== '')) return 'apart'
  const tagged = replies.some(({ content }) => /^\s*<think>|<\/think>/.test(content))
  return tagged ? 'in_text' : 'none'
}

export function judgeReasoning(reasoning: Reasoning): Finding {
  switch (reasoning) {
    case 'apart':
      return ok('Thinks, and sends that apart from the answer: fit for nova.')
    case 'in_text':
      return ok('Thinks between <think> and </think>, which Parley takes apart: fit for nova.')
    case 'none':
      return note('Shows no reasoning: behind nova its replies would have none.')
  }
}
