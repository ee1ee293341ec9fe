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
const UNREADABLE = { status: 400, sentence: 'the request is not HTTP that can be read' }

/** Answers what is not HTTP, and so never became a request, in the common error body. */
export function refuseUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: reply } = socket as ReplyingSocket
  // Into a reply that has begun, nothing else may be written.
  if (code === 'ECONNRESET' || !socket.writable || reply?.headersSent) {
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
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
