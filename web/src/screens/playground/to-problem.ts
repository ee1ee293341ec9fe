import { ConnectionError, RefusedError, UnexpectedAnswerError } from 'parley-client'
import { Problem } from '../../api/client.ts'

/** What ended a reply, as the console tells of all that fails; a bug stays what it is. */
export function toProblem(error: unknown): Error {
  if (error instanceof RefusedError) {
    const { code, message, status, requestId, retryAfter: retryAfterS } = error
    return new Problem(code === '' ? 'unreadable' : code, message, {
      status,
      requestId,
      retryAfterS,
    })
  }
  if (error instanceof UnexpectedAnswerError) return new Problem('unreadable', error.message, error)
  if (error instanceof ConnectionError) {
    return error.requestId === undefined
      ? new Problem('offline', 'The service cannot be reached.')
      : new Problem('stream_broken', 'The connection broke off.')
  }
  return error instanceof Error ? error : new Error(String(error))
}
