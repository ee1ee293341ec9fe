import type { UpstreamFailure } from '../upstream.ts'
import { objectOf } from './wire-reply.ts'

/**
 * How servers say that a prompt is too long: llama.cpp by a type, OpenAI by a code, vLLM, SGLang and
 * others by a sentence alone.
 */
const OVERFLOW =
  /exceed_context_size_error|context_length_exceeded|max(imum)? context length|context length is only|longer than the model's context|exceeds? the (available |maximum )?context/i

/** What an answer with a status other than 200 means. `body` is its beginning. */
export function readErrorStatus(status: number, body: string): UpstreamFailure {
  if (status === 429 || status >= 500) {
    return { kind: 'overloaded', reason: `it answered with status ${status}` }
  }
  if (OVERFLOW.test(body)) return { kind: 'context_overflow', reason: `status ${status}` }
  if (status >= 400) return { kind: 'rejected', reason: `it answered with status ${status}` }
  return { kind: 'malformed', reason: `it answered with status ${status}` }
}

/** What an error object in place of a reply means: servers send these even with status 200. */
export function readErrorReply(error: unknown): UpstreamFailure {
  const text = typeof error === 'string' ? error : JSON.stringify(objectOf(error) ?? {})
  if (OVERFLOW.test(text)) return { kind: 'context_overflow', reason: 'an error event' }
  return { kind: 'overloaded', reason: 'it sent an error in place of the reply' }
}
