import { openaiError, overflowErrors, plainVllmError, type ErrorAnswer } from './dialect-errors.ts'
import type { Dialect, ToolCallShape } from './reply.ts'
import type { ChatBody } from './request.ts'

/** How one kind of server differs from the others on the wire. */
export interface DialectRules {
  /** Keys beside `choices` in every chunk and body. */
  readonly envelope: object
  /** The delta of the stream's first chunk; undefined where there is no such chunk. */
  readonly opening: object | undefined
  /** Keys in every delta, overridden by what the delta carries. */
  readonly deltaBase: object
  readonly closingDelta: object
  reasoning(text: string): object
  readonly usagePlace: 'own-chunk' | 'with-finish'
  readonly usageWhen: 'asked' | 'always'
  /** Whether `stream_options.continuous_usage_stats` is known. */
  readonly continuousUsage: boolean
  /** Whether chunks without usage say `usage: null` when it was asked for. */
  readonly nullUsage: boolean
  readonly toolCallShape: ToolCallShape
  toolCallIndex(index: number): number
  /** Undefined leaves the key out. */
  toolCallId(index: number): string | undefined
  /** Keys of the deltas that carry on a call's arguments. */
  readonly fragmentBase: { readonly call: object; readonly function: object }
  /** A keep-alive comment sent before the first event. */
  readonly comment: string | undefined
  error(status: number, message: string): object
  overflow(promptTokens: number, contextTokens: number): ErrorAnswer
  /** The error for a request that the server does not take, where it is particular. */
  readonly refuse: ((body: ChatBody) => ErrorAnswer | undefined) | undefined
}

/** OpenAI itself shows no reasoning; the many that copy its format do, mostly by this name. */
const openai: DialectRules = {
  envelope: { system_fingerprint: 'fp_fake' },
  opening: { role: 'assistant', content: '', refusal: null },
  deltaBase: {},
  closingDelta: {},
  reasoning: (text) => ({ reasoning_content: text }),
  usagePlace: 'own-chunk',
  usageWhen: 'asked',
  continuousUsage: false,
  nullUsage: true,
  toolCallShape: 'fragments',
  toolCallIndex: (index) => index,
  toolCallId: (index) => `call_${index + 1}`,
  fragmentBase: { call: {}, function: {} },
  comment: undefined,
  error: openaiError,
  overflow: overflowErrors.openai,
  refuse: undefined,
}

const vllm: DialectRules = {
  ...openai,
  envelope: {},
  opening: { role: 'assistant', content: '' },
  closingDelta: { content: '' },
  reasoning: (text) => ({ reasoning: text }),
  continuousUsage: true,
  nullUsage: false,
  toolCallId: (index) => `chatcmpl-tool-${index + 1}`,
  error: (status, message) => ({ error: plainVllmError(status, message) }),
  overflow: overflowErrors.vllm,
}

/** SGLang writes out every key of a delta, with nulls. */
const sglangDelta = { role: null, content: null, reasoning_content: null, tool_calls: null }

export const dialects: Readonly<Record<Dialect, DialectRules>> = {
  openai,
  vllm,
  'vllm-0.16': { ...vllm, overflow: overflowErrors['vllm-0.16'] },
  'vllm-old': {
    ...vllm,
    reasoning: (text) => ({ reasoning_content: text }),
    error: (status, message) => ({ object: 'error', ...plainVllmError(status, message) }),
    overflow: overflowErrors['vllm-old'],
  },
  sglang: {
    ...openai,
    envelope: {},
    opening: { ...sglangDelta, role: 'assistant', content: '' },
    deltaBase: sglangDelta,
    closingDelta: sglangDelta,
    toolCallId: (index) => (index === 0 ? 'call_1' : undefined),
    fragmentBase: { call: { id: null, type: 'function' }, function: { name: null } },
    error: (status, message) => ({ object: 'error', ...plainVllmError(status, message) }),
    overflow: overflowErrors.sglang,
  },
  'llama.cpp': {
    ...openai,
    envelope: { system_fingerprint: 'b6500-fake' },
    opening: { role: 'assistant', content: null },
    nullUsage: false,
    error: (code, message) => ({ error: { code, message, type: 'server_error' } }),
    overflow: overflowErrors['llama.cpp'],
  },
  ollama: {
    ...openai,
    envelope: { system_fingerprint: 'fp_ollama' },
    opening: undefined,
    deltaBase: { role: 'assistant', content: '' },
    closingDelta: { role: 'assistant', content: '' },
    reasoning: (text) => ({ reasoning: text }),
    nullUsage: false,
    toolCallShape: 'whole',
    toolCallIndex: () => 0,
    toolCallId: () => undefined,
    error: (_status, message) => ({
      error: { message, type: 'api_error', param: null, code: null },
    }),
    overflow: overflowErrors.ollama,
  },
  deepseek: {
    ...openai,
    opening: { role: 'assistant', content: null, reasoning_content: '' },
    deltaBase: { content: null, reasoning_content: null },
    closingDelta: { content: '', reasoning_content: null },
    usagePlace: 'with-finish',
    usageWhen: 'always',
    overflow: overflowErrors.deepseek,
    refuse: refuseForgottenReasoning,
  },
  openrouter: {
    ...openai,
    envelope: { provider: 'Fake' },
    opening: undefined,
    deltaBase: { role: 'assistant', content: '' },
    closingDelta: { role: 'assistant', content: '' },
    reasoning: (text) => ({
      reasoning: text,
      reasoning_details: [{ type: 'reasoning.text', text, format: 'unknown', index: 0 }],
    }),
    usageWhen: 'always',
    nullUsage: false,
    comment: 'OPENROUTER PROCESSING',
    error: (code, message) => ({ error: { message, code } }),
    overflow: overflowErrors.openrouter,
  },
}

/** In thinking mode DeepSeek wants the reasoning of each turn that called tools sent back. */
function refuseForgottenReasoning(body: ChatBody): ErrorAnswer | undefined {
  const thinking = body['thinking'] as { readonly type?: string } | undefined
  if (thinking?.type === 'disabled') return undefined
  const forgotten = body.messages?.some(
    (message) =>
      message.role === 'assistant' &&
      (message.tool_calls?.length ?? 0) > 0 &&
      typeof message['reasoning_content'] !== 'string',
  )
  if (forgotten !== true) return undefined
  const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
  return { status: 400, body: openaiError(400, message) }
}
