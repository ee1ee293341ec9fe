import type { Message, Prompt, Tool, UpstreamRequest } from '#models/index.ts'

/** As the service puts it before every conversation. */
const IDENTITY: Message = { role: 'system', content: 'You are a helpful assistant.' }

/** Room for a model that thinks first; asked whole, it still is within the time to a first byte. */
export const ROOM_TOKENS = 256

export function ask(text: string, maxTokens: number, streamed: boolean): UpstreamRequest {
  const prompt = { messages: [IDENTITY, { role: 'user', content: text } as const], tools: [] }
  return { prompt, maxTokens, temperature: 0, streamed }
}

export const SENTENCE = 'Write one sentence of about twenty words about the sea.'
export const GREETING = 'Say hello in three words.'
export const COUNTING = 'Count from 1 to 200 in words, and write nothing else.'

/** A caller may bring a system message of its own. */
export function askWithTwoSystemMessages(): UpstreamRequest {
  const messages: Message[] = [
    IDENTITY,
    { role: 'system', content: 'Answer in English.' },
    { role: 'user', content: GREETING },
  ]
  return { ...ask(GREETING, 32, true), prompt: { messages, tools: [] } }
}

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

export const TOOLS: readonly Tool[] = [
  { name: 'get_weather', description: 'The weather in a city.', parameters: city },
  { name: 'get_time', description: 'The local time in a city.', parameters: city },
]

const CALLING =
  'What is the weather in Lisbon, and what time is it there? Call get_weather and get_time, both at once.'

export function askForTools(streamed: boolean): UpstreamRequest {
  const { prompt, ...rest } = ask(CALLING, ROOM_TOKENS * (streamed ? 4 : 1), streamed)
  return { ...rest, prompt: { ...prompt, tools: TOOLS } }
}

/** The turn after tools were called, with the reasoning that a caller sends back. */
export function askWithAnswers(calls: Turn): UpstreamRequest {
  const first = askForTools(true)
  const messages: Message[] = [
    ...first.prompt.messages,
    { role: 'assistant', content: null, ...calls },
    ...calls.toolCalls.map(({ id }): Message => ({
      role: 'tool',
      toolCallId: id,
      content: '{"answer":"sunny, 12:00"}',
    })),
  ]
  return { ...first, maxTokens: 64, prompt: { ...first.prompt, messages } }
}

interface Turn {
  readonly toolCalls: Extract<Prompt['messages'][number], { role: 'assistant' }>['toolCalls']
  readonly reasoning: string
}

/** More than so many tokens, by any tokenizer: a word is at least one. */
export function askTooMuch(contextWindow: number): UpstreamRequest {
  return ask('sea '.repeat(Math.ceil(contextWindow * 1.25)), 1, true)
}
