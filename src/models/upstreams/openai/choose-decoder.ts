import type { ReplyEvent, UpstreamFailure } from '../upstream.ts'
import { readErrorStatus } from './failures.ts'
import { readRetryAfter, type ReplyHeaders } from '../read-retry-after.ts'
import { createStreamDecoder } from './stream-decoder.ts'
import { createWholeDecoder } from './whole-decoder.ts'

/** Turns the bytes of a reply into events. Reports its end once, with what went wrong if anything. */
export interface ReplyDecoder {
  add(bytes: Buffer): void
  /** The connection has ended, or failed. */
  end(failure: UpstreamFailure | undefined): void
}

export interface DecoderOutput {
  emit(event: ReplyEvent): void
  done(failure: UpstreamFailure | undefined): void
}

const MAX_ERROR_CHARACTERS = 16 * 1024

export function chooseDecoder(
  status: number,
  headers: ReplyHeaders,
  output: DecoderOutput,
): ReplyDecoder {
  if (status !== 200) return createErrorDecoder(status, headers, output)
  // Some servers answer whole where a stream was asked for: what came decides, not what was asked.
  const isStream = String(headers['content-type']).includes('text/event-stream')
  return isStream ? createStreamDecoder(output) : createWholeDecoder(output)
}

/** An answer that is no reply: only the beginning of its body matters. */
function createErrorDecoder(
  status: number,
  headers: ReplyHeaders,
  { done }: DecoderOutput,
): ReplyDecoder {
  let body = ''
  return {
    add(bytes) {
      if (body.length < MAX_ERROR_CHARACTERS) body += bytes.toString('latin1')
    },
    end: () => done({ ...readErrorStatus(status, body), ...readRetryAfter(status, headers) }),
  }
}
