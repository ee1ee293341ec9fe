import { splitWords } from './content.ts'
import type { PlannedToolCall, Reply } from './reply.ts'
import type { ChatBody, RecordedRequest } from './request.ts'

/** How a model that could be good is not: what is left out is as it should be. */
export interface ModelTraits {
  readonly dialect?: Reply['dialect']
  /** Default: 2 000. */
  readonly contextTokens?: number
  /** A prompt that is too long is refused, answered in part, or refused in words of its own. */
  readonly overflow?: 'refused' | 'cut' | 'oddly'
  readonly tools?: 'called' | 'one' | 'as-text' | 'refused' | 'broken' | 'ignored'
  readonly reasoning?: 'apart' | 'tagged'
  readonly usage?: 'none' | 'inflated'
  /** Whole replies count the prompt otherwise. */
  readonly countsTwice?: boolean
  readonly ignoresMaxTokens?: boolean
  readonly takesOneSystemMessage?: boolean
  /** Says nothing of it where it was cut. */
  readonly finish?: string
  /** All words at once. */
  readonly inOnePiece?: boolean
  /** How long each reply waits that follows one which its reader left. */
  readonly waitAfterLeftMs?: number
}

/** A script that answers what it is asked, as a model of these traits would: it counts, and keeps to limits. */
export function playModel(traits: ModelTraits = {}): (request: RecordedRequest) => Reply {
  let long: RecordedRequest | undefined
  return (request) => {
    // Its leaving may be heard of only after the next request.
    const waitMs = long?.finished === false ? traits.waitAfterLeftMs : undefined
    if (isLong(request.body)) long = request
    const pace = {
      ...(waitMs !== undefined && { beforeHeadMs: waitMs }),
      ...(isLong(request.body) && { beforeDeltaMs: LONG_REPLY_DELTA_MS }),
    }
    const reply = answer(request.body, traits)
    return Object.keys(pace).length > 0 ? { ...reply, pace } : reply
  }
}

/** What is to be long is made slowly enough to be left. */
const LONG_REPLY_DELTA_MS = 20

function isLong({ max_tokens: maxTokens = 0, tools }: ChatBody): boolean {
  return maxTokens >= 1_000 && tools === undefined
}

function answer(body: ChatBody, traits: ModelTraits): Reply {
  const { dialect = 'openai', contextTokens = 2_000, overflow = 'refused' } = traits
  const promptTokens = countPrompt(body)
  if (promptTokens > contextTokens && overflow !== 'cut') {
    const fault =
      overflow === 'refused'
        ? ({ kind: 'context-overflow', promptTokens, contextTokens } as const)
        : ({ kind: 'status', status: 413 } as const)
    return { dialect, fault }
  }
  const systems = body.messages?.filter(({ role }) => role === 'system').length ?? 0
  const refusesTools = traits.tools === 'refused' && body.tools !== undefined
  if ((traits.takesOneSystemMessage && systems > 1) || refusesTools) {
    return { dialect, fault: { kind: 'status', status: 400 } }
  }
  const isAnswered = body.messages?.some(({ role }) => role === 'tool') === true
  const asksForTools = body.tools !== undefined && !isAnswered
  return asksForTools
    ? { dialect, ...callTools(traits), ...countUsage(body, traits, 12) }
    : { dialect, ...talk(body, traits) }
}

const CALLS: readonly PlannedToolCall[] = [
  { name: 'get_weather', arguments: '{"city":"Lisbon"}' },
  { name: 'get_time', arguments: '{"city":"Lisbon"}' },
]

function callTools({ tools = 'called', reasoning }: ModelTraits): Reply {
  const thought = reasoning === 'apart' ? { reasoning: 'Two tools are wanted. ' } : {}
  switch (tools) {
    case 'one':
      return { ...thought, toolCalls: CALLS.slice(0, 1) }
    case 'broken':
      return { ...thought, toolCalls: [{ name: 'get_weather', arguments: '{"city":"Lis' }] }
    case 'as-text':
      return { content: '<tool_call>{"name":"get_weather"}</tool_call>' }
    case 'ignored':
      return { content: 'I do not know.' }
    case 'called':
    case 'refused':
      return { ...thought, toolCalls: CALLS }
  }
}

const WORDS = 'The sea is wide and blue and it sings to those who walk along its shore at night.'
const TEXT = splitWords(`${WORDS} ${WORDS} `)

function talk(body: ChatBody, traits: ModelTraits): Reply {
  const { max_tokens: maxTokens = 16 } = body
  const isCut = maxTokens < TEXT.length && !traits.ignoresMaxTokens
  const words = isCut ? TEXT.slice(0, maxTokens) : TEXT
  const tagged = traits.reasoning === 'tagged' ? ['<think>', 'Hm.', '</think>'] : []
  const deltas = [...tagged, ...words]
  return {
    deltas: traits.inOnePiece ? [deltas.join('')] : deltas,
    ...(traits.reasoning === 'apart' && { reasoning: 'Hm. ' }),
    finish: traits.finish ?? (isCut ? 'length' : 'stop'),
    ...countUsage(body, traits, words.length),
  }
}

function countUsage(body: ChatBody, traits: ModelTraits, tokens: number): Pick<Reply, 'usage'> {
  if (traits.usage === 'none') return { usage: 'none' }
  const times = traits.usage === 'inflated' ? 10 : 1
  const more = traits.countsTwice && body.stream !== true ? 7 : 0
  const promptTokens = (countPrompt(body) + more) * times
  return { usage: { promptTokens, completionTokens: tokens } }
}

/** A word is a token and a bit; a message and a tool have some around them. */
function countPrompt({ messages = [], tools = [] }: ChatBody): number {
  const texts = messages.map(({ content }) => (typeof content === 'string' ? content : ''))
  const words = texts.join(' ').split(' ').length
  return words + 5 * messages.length + 25 * tools.length
}
