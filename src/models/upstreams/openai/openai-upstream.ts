import { Pool } from 'undici'
import type { Upstream, UpstreamRequest } from '../upstream.ts'
import { openReply } from './open-reply.ts'
import { writeRequest } from './write-request.ts'

export interface OpenaiOptions {
  readonly name: string
  /** The base address, e.g. "http://127.0.0.1:8000/v1"; "/chat/completions" is added. */
  readonly url: string
  readonly model: string
  readonly apiKey: string | undefined
  /** Default 5 s. */
  readonly connectTimeoutMs?: number
  /** To the first byte; default 60 s. */
  readonly timeoutMs?: number
  /** Between bytes; default 60 s. */
  readonly idleTimeoutMs?: number
  /** Ask for totals in each chunk; default false, for some servers refuse the wish. */
  readonly continuousUsage?: boolean
  /** Send the reasoning of turns with tool calls back; default false, for most servers refuse it. */
  readonly sendReasoning?: boolean
}

/** As many as requests may be under way: one account's streams leave no other without a connection. */
const MAX_CONNECTIONS = 4_096

/** A reply this slow, in milliseconds a token, is the slowest that we still wait for whole. */
const SLOWEST_TOKEN_MS = 200

/** A server that speaks the chat-completions format: vLLM, SGLang, llama.cpp, Ollama, hosted APIs. */
export function createOpenaiUpstream(options: OpenaiOptions): Upstream {
  const { connectTimeoutMs = 5_000, timeoutMs = 60_000, idleTimeoutMs = 60_000 } = options
  const { model, continuousUsage = false, sendReasoning = false } = options
  const wire = { model, continuousUsage, sendReasoning }
  const { origin, pathname } = new URL(options.url)
  const path = `${pathname.replace(/\/$/, '')}/chat/completions`
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    connect: { timeout: connectTimeoutMs },
    // Our own time-outs are exact; undici's are rounded to half a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (options.apiKey !== undefined) headers['authorization'] = `Bearer ${options.apiKey}`
  return {
    name: options.name,
    kind: 'openai',
    open(request, signal) {
      const streamed = request.streamed || isLong(request, timeoutMs)
      const body = writeRequest({ ...request, streamed }, wire)
      const exchange = {
        options: {
          path,
          method: 'POST' as const,
          headers: request.traceHeaders ? { ...headers, ...request.traceHeaders } : headers,
          body,
        },
        firstByteTimeoutMs: timeoutMs,
        idleTimeoutMs,
      }
      return openReply(pool, exchange, signal)
    },
    close: () => pool.destroy(),
  }
}

/**
 * A reply sent whole has its first byte when all of it has been made. One that may take longer than
 * we wait for a first byte is therefore asked for as a stream, even where the caller wants it whole.
 */
function isLong({ maxTokens }: UpstreamRequest, timeoutMs: number): boolean {
  return maxTokens * SLOWEST_TOKEN_MS > timeoutMs
}
