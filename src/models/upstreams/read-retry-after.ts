import type { UpstreamFailure } from './upstream.ts'

export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>

/** With these a server may say when to come back (RFC 9110, section 10.2.3; RFC 6585, section 4). */
const STATUSES = new Set([429, 503, 529])

/** How long a server that refuses asks to be left alone: in seconds, or until a time of its own clock. */
export function readRetryAfter(
  status: number,
  { 'retry-after': after, date }: ReplyHeaders,
): Pick<UpstreamFailure, 'retryAfterMs'> {
  if (!STATUSES.has(status) || typeof after !== 'string') return {}
  const isSeconds = /^\d{1,9}(\.\d+)?$/.test(after)
  const retryAfterMs = isSeconds ? Number(after) * 1_000 : Date.parse(after) - readDate(date)
  return retryAfterMs > 0 ? { retryAfterMs } : {}
}

function readDate(date: string | string[] | undefined): number {
  return typeof date === 'string' ? Date.parse(date) : Number.NaN
}
