import type { ProviderOptions } from '#models/index.ts'
import type { WireEvent } from './encode-events.ts'

/** What a provider's server sends. */
export interface WireReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An error's body, in place of events. */
  readonly body?: object
  readonly events?: readonly WireEvent[]
  /** What comes after the events. Default: the end. */
  readonly ending?: 'end' | 'reset' | 'silence'
}

/**
 * A provider's replies, event by event as its documentation has them. Each says the same in its own
 * format: 30 tokens of input, of which 10 came from or went to a cache, and 12 of output.
 */
export interface Recording {
  readonly model: string
  /** "Hello there". */
  readonly text: readonly WireEvent[]
  /** Thinks "Let me think.", then says "Done". */
  readonly reasoning: readonly WireEvent[]
  /** Says "Looking.", and calls get_weather for Lisbon and for Porto. */
  readonly toolCalls: readonly WireEvent[]
  readonly length: readonly WireEvent[]
  /** Ended by the provider's filter, after a word. */
  readonly filtered: readonly WireEvent[]
  /** An error in place of an event. */
  readonly failure: WireEvent
  /** The body of an answer that is an error. */
  error(status: number, message: string): object
  /** How it says that a prompt is too long. */
  readonly overflow: string
}

const USAGE = { input: 20, cacheRead: 8, cacheWrite: 2, output: 12 }

function anthropicStart(): WireEvent[] {
  const usage = {
    input_tokens: USAGE.input,
    cache_creation_input_tokens: USAGE.cacheWrite,
    cache_read_input_tokens: USAGE.cacheRead,
    output_tokens: 1,
    service_tier: 'standard',
  }
  const message = {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  return [{ type: 'message_start', message }, { type: 'ping' }]
}

function anthropicBlock(index: number, block: object, ...deltas: object[]): WireEvent[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function anthropicText(index: number, ...texts: string[]): WireEvent[] {
  const deltas = texts.map((text) => ({ type: 'text_delta', text }))
  return anthropicBlock(index, { type: 'text', text: '' }, ...deltas)
}

function anthropicCall(index: number, city: string): WireEvent[] {
  const block = { type: 'tool_use', id: `toolu_${city}`, name: 'get_weather', input: {} }
  const json = (text: string) => ({ type: 'input_json_delta', partial_json: text })
  return anthropicBlock(index, block, json(''), json('{"city": "'), json(`${city}"}`))
}

function anthropicEnd(stopReason: string): WireEvent[] {
  return [
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: {
        input_tokens: USAGE.input,
        cache_creation_input_tokens: USAGE.cacheWrite,
        cache_read_input_tokens: USAGE.cacheRead,
        output_tokens: USAGE.output,
      },
    },
    { type: 'message_stop' },
  ]
}

const thinking = { type: 'thinking', thinking: '', signature: '' }

const anthropic: Recording = {
  model: 'claude-sonnet-4-5-20250929',
  text: [...anthropicStart(), ...anthropicText(0, 'Hello', ' there'), ...anthropicEnd('end_turn')],
  reasoning: [
    ...anthropicStart(),
    ...anthropicBlock(
      0,
      thinking,
      { type: 'thinking_delta', thinking: 'Let me ' },
      { type: 'thinking_delta', thinking: 'think.' },
      { type: 'signature_delta', signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h' },
    ),
    ...anthropicText(1, 'Done'),
    ...anthropicEnd('end_turn'),
  ],
  toolCalls: [
    ...anthropicStart(),
    ...anthropicText(0, 'Looking.'),
    ...anthropicCall(1, 'Lisbon'),
    ...anthropicCall(2, 'Porto'),
    ...anthropicEnd('tool_use'),
  ],
  length: [...anthropicStart(), ...anthropicText(0, 'Hello'), ...anthropicEnd('max_tokens')],
  filtered: [...anthropicStart(), ...anthropicText(0, 'Hello'), ...anthropicEnd('refusal')],
  failure: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  error: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', message },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  }),
  overflow: 'prompt is too long: 212345 tokens > 200000 maximum',
}

function googleChunk(parts: readonly object[], output: number, finishReason?: string): WireEvent {
  const content = { parts, role: 'model' }
  return {
    candidates: [{ content, ...(finishReason !== undefined && { finishReason }), index: 0 }],
    usageMetadata: {
      promptTokenCount: 30,
      cachedContentTokenCount: 10,
      candidatesTokenCount: output,
      thoughtsTokenCount: 5,
      totalTokenCount: 35 + output,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 30 }],
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'mAitaLmkHPPlz7IPvtfUqQ4',
  }
}

function googleCall(city: string, signature?: string): object {
  const functionCall = { name: 'get_weather', args: { city } }
  return { functionCall, ...(signature !== undefined && { thoughtSignature: signature }) }
}

const google: Recording = {
  model: 'gemini-2.5-flash',
  text: [googleChunk([{ text: 'Hello' }], 3), googleChunk([{ text: ' there' }], 7, 'STOP')],
  reasoning: [
    googleChunk([{ text: 'Let me think.', thought: true }], 0),
    googleChunk([{ text: 'Done' }], 7, 'STOP'),
  ],
  toolCalls: [
    googleChunk([{ text: 'Looking.' }], 2),
    googleChunk([googleCall('Lisbon', 'CpMBAdHtim9'), googleCall('Porto')], 7, 'STOP'),
  ],
  length: [googleChunk([{ text: 'Hello' }], 7, 'MAX_TOKENS')],
  filtered: [googleChunk([{ text: 'Hello' }], 7, 'SAFETY')],
  failure: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  error: (code, message) => ({
    error: { code, message, status: code === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' },
  }),
  overflow:
    'The input token count (1250000) exceeds the maximum number of tokens allowed (1048576).',
}

function bedrockDeltas(index: number, ...deltas: object[]): WireEvent[] {
  return [
    ...deltas.map((delta) => ({ contentBlockDelta: { contentBlockIndex: index, delta } })),
    { contentBlockStop: { contentBlockIndex: index } },
  ]
}

function bedrockCall(index: number, city: string): WireEvent[] {
  const toolUse = { toolUseId: `tooluse_${city}`, name: 'get_weather' }
  return [
    { contentBlockStart: { contentBlockIndex: index, start: { toolUse } } },
    ...bedrockDeltas(
      index,
      { toolUse: { input: '{"city": "' } },
      { toolUse: { input: `${city}"}` } },
    ),
  ]
}

function bedrockEnd(stopReason: string): WireEvent[] {
  const usage = {
    inputTokens: USAGE.input,
    outputTokens: USAGE.output,
    totalTokens: 42,
    cacheReadInputTokens: USAGE.cacheRead,
    cacheWriteInputTokens: USAGE.cacheWrite,
  }
  return [{ messageStop: { stopReason } }, { metadata: { usage, metrics: { latencyMs: 551 } } }]
}

const bedrockStart: WireEvent = { messageStart: { role: 'assistant' } }

const bedrock: Recording = {
  model: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  text: [
    bedrockStart,
    ...bedrockDeltas(0, { text: 'Hello' }, { text: ' there' }),
    ...bedrockEnd('end_turn'),
  ],
  reasoning: [
    bedrockStart,
    ...bedrockDeltas(
      0,
      { reasoningContent: { text: 'Let me think.' } },
      { reasoningContent: { signature: 'Ep0CCkgICxABGAIqQOWPB6' } },
    ),
    ...bedrockDeltas(1, { text: 'Done' }),
    ...bedrockEnd('end_turn'),
  ],
  toolCalls: [
    bedrockStart,
    ...bedrockDeltas(0, { text: 'Looking.' }),
    ...bedrockCall(1, 'Lisbon'),
    ...bedrockCall(2, 'Porto'),
    ...bedrockEnd('tool_use'),
  ],
  length: [bedrockStart, ...bedrockDeltas(0, { text: 'Hello' }), ...bedrockEnd('max_tokens')],
  filtered: [
    bedrockStart,
    ...bedrockDeltas(0, { text: 'Hello' }),
    ...bedrockEnd('guardrail_intervened'),
  ],
  failure: { throttlingException: { message: 'Too many requests, please wait.' } },
  error: (_status, message) => ({ message }),
  overflow: 'Input is too long for requested model.',
}

export const recordings: Readonly<Record<ProviderOptions['kind'], Recording>> = {
  anthropic,
  google,
  bedrock,
}
