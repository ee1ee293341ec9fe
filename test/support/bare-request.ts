import { once } from 'node:events'
import { connect } from 'node:net'
import { finished } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { readAnswer, type Answer } from './call.ts'
import type { Service } from './service.ts'

export interface BareRequest {
  readonly method?: string
  /** Sent as it stands, valid or not. */
  readonly path: string
  /** Nothing is added to these but what frames the body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent with its length; pieces are sent chunked, as they are made. */
  readonly body?: string | Iterable<Buffer>
}

/**
 * A request as no well-meant client would send it, on a connection of its own. It is sent to its end
 * before anything of the answer is read, as simple clients do. Not held against the document.
 */
export async function sendBare(service: Service, bare: BareRequest): Promise<Answer> {
  const { method = 'POST', path, headers = {}, body } = bare
  const { hostname, port, host } = new URL(service.origin)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  const lines = Object.entries({ host, ...headers, ...describeFraming(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const bytes = Readable.from(frame(`${method} ${path} HTTP/1.1\r\n${head}\r\n`, body))
  bytes.pipe(socket, { end: false })
  await finished(bytes)
  const answer = await readOne(socket)
  socket.destroy()
  return answer
}

function describeFraming(body: BareRequest['body']): Readonly<Record<string, string>> {
  if (body === undefined) return {}
  if (typeof body !== 'string') return { 'transfer-encoding': 'chunked' }
  return { 'content-length': String(Buffer.byteLength(body)) }
}

function* frame(head: string, body: BareRequest['body']): Generator<Buffer> {
  yield Buffer.from(head)
  if (typeof body === 'string') yield Buffer.from(body)
  if (body === undefined || typeof body === 'string') return
  for (const piece of body) {
    yield Buffer.from(`${piece.length.toString(16)}\r\n`)
    yield piece
    yield Buffer.from('\r\n')
  }
  yield Buffer.from('0\r\n\r\n')
}

/** An answer with a Content-Length, as all small ones are. */
async function readOne(socket: Readable): Promise<Answer> {
  let text = ''
  for await (const bytes of socket) {
    text += String(bytes)
    const [head = '', body] = text.split('\r\n\r\n')
    if (body === undefined) continue
    const [status = '', ...lines] = head.split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/, 2) as [string, string]))
    if (Buffer.byteLength(body) < Number(headers.get('content-length'))) continue
    return readAnswer(Number(status.split(' ')[1]), headers, body)
  }
  throw new Error(`the connection ended after ${JSON.stringify(text)}`)
}
