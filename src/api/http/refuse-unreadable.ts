import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { createId } from '#platform/ids.ts'
import type { ErrorBody } from '../contract/index.ts'

/** Node marks a socket with the reply that is on its way, and looks at it for the same reason. */
type ReplyingSocket = Socket & { readonly _httpMessage?: { readonly headersSent: boolean } | null }

const REFUSALS: Readonly<Record<string, { status: number; sentence: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, sentence: 'the head of the request is too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, sentence: 'the request did not arrive in time' },
}
/** For a client to take its refusal before the connection is gone. */
const FAREWELL_MS = 1_000
const UNREADABLE = { status: 400, sentence: 'the request is not HTTP that can be read' }

/** Answers what is not HTTP, and so never became a request, in the common error body. */
export function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: reply } = socket as ReplyingSocket
  // Into a reply that has begun, nothing else may be written; who never asked is not answered.
  const isAnswerable = socket.writable && !reply?.headersSent && socket.bytesRead > 0
  if (code === 'ECONNRESET' || !isAnswerable) {
    socket.destroy()
    return
  }
  const { status, sentence } = REFUSALS[code] ?? UNREADABLE
  const body: ErrorBody = { error: { code: 'invalid_request', message: `body: ${sentence}` } }
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `x-request-id: ${createId('req')}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  // What still comes is no longer wanted, and a client that never ends its side is not waited for.
  socket.pause()
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
}
