import type { Dialect } from './reply.ts'

export interface ErrorAnswer {
  readonly status: number
  readonly body: object
}

type Overflow = (promptTokens: number, contextTokens: number) => ErrorAnswer

/** The words in which each server says that a prompt is too long; a client has only these. */
export const overflowErrors: Readonly<Record<Dialect, Overflow>> = {
  openai: (promptTokens, contextTokens) =>
    refusal({
      error: {
        message: `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    }),
  vllm: (promptTokens, contextTokens) =>
    refusal({
      error: {
        message: `This model's maximum context length is ${contextTokens} tokens. However, your request has ${promptTokens} input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=${promptTokens})`,
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    }),
  'vllm-0.16': (promptTokens, contextTokens) =>
    refusal({
      error: {
        message: `You passed ${promptTokens} input tokens and requested 1 output tokens. However, the model's context length is only ${contextTokens} tokens, resulting in a maximum input length of ${contextTokens - 1} tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=${promptTokens})`,
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    }),
  'vllm-old': (promptTokens, contextTokens) =>
    refusal({
      object: 'error',
      ...plainVllmError(400, describeRequested(promptTokens, contextTokens)),
    }),
  sglang: (promptTokens, contextTokens) =>
    refusal({
      object: 'error',
      ...plainVllmError(
        400,
        `The input (${promptTokens} tokens) is longer than the model's context length (${contextTokens} tokens).`,
      ),
    }),
  'llama.cpp': (promptTokens, contextTokens) =>
    refusal({
      error: {
        code: 400,
        message: `request (${promptTokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`,
        type: 'exceed_context_size_error',
        n_prompt_tokens: promptTokens,
        n_ctx: contextTokens,
      },
    }),
  // Ollama mostly cuts the prompt in silence; this is what it says when it does not.
  ollama: (promptTokens, contextTokens) =>
    refusal({
      error: {
        message: `prompt too long; exceeded max context length by ${promptTokens - contextTokens} tokens`,
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    }),
  deepseek: (promptTokens, contextTokens) =>
    refusal(openaiError(400, describeRequested(promptTokens, contextTokens))),
  openrouter: (promptTokens, contextTokens) =>
    refusal({
      error: {
        message: `This endpoint's maximum context length is ${contextTokens} tokens. However, you requested about ${promptTokens} tokens (${promptTokens} of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
        code: 400,
        metadata: { provider_name: null },
      },
    }),
}

export function openaiError(status: number, message: string): object {
  const type = openaiErrorType(status)
  return { error: { message, type, param: null, code: type } }
}

/** vLLM's error, which older versions and SGLang send without the `error` around it. */
export function plainVllmError(status: number, message: string): object {
  const type = status < 500 ? 'BadRequestError' : 'InternalServerError'
  return { message, type, param: null, code: status }
}

function openaiErrorType(status: number): string {
  if (status === 401) return 'invalid_api_key'
  if (status === 429) return 'rate_limit_exceeded'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

function describeRequested(promptTokens: number, contextTokens: number): string {
  return `This model's maximum context length is ${contextTokens} tokens. However, you requested ${promptTokens + 1} tokens (${promptTokens} in the messages, 1 in the completion). Please reduce the length of the messages or completion.`
}

function refusal(body: object): ErrorAnswer {
  return { status: 400, body }
}
