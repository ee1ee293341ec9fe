import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readAnswer, type Answer } from '../support/call.ts'
import type { Service } from '../support/service.ts'

export interface RawOptions {
  /** Resolves at so many answers, the connection still open; else at its end. */
  readonly answers?: number
  /** Sends our end after the last piece. The service may take it for our leaving, and stop. */
  readonly end?: boolean
}

/** Longer than this nothing may take that the service can know to be over. */
const PATIENCE_MS = 5_000

/** Sends bytes as they stand, each piece in a turn of its own, and reads all that is answered. */
export async function exchange(
  service: Pick<Service, 'origin'>,
  pieces: readonly (string | Buffer)[],
  { answers, end = false }: RawOptions = {},
): Promise<Answer[]> {
  const connection = await openConnection(service)
  try {
    await connection.send(...pieces)
    if (end) connection.end()
    return await connection.receive(answers)
  } finally {
    connection.socket.destroy()
  }
}

export interface Connection {
  readonly socket: Socket
  send(...pieces: readonly (string | Buffer)[]): Promise<void>
  /** Says that nothing more comes; half an answer may then be all there is of it. */
  end(): void
  /** What has been answered so far, as soon as that is so much, or the service has hung up. */
  receive(answers?: number): Promise<Answer[]>
  readonly received: string
}

export async function openConnection(service: Pick<Service, 'origin'>): Promise<Connection> {
  const { hostname, port } = new URL(service.origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  // A reset is an end as any other: what counts is what was answered before.
  socket.on('error', () => {})
  const closed = new Promise<'closed'>((resolve) => socket.once('close', () => resolve('closed')))
  await once(socket, 'connect')

  async function receive(answers = Infinity): Promise<Answer[]> {
    const late = AbortSignal.timeout(PATIENCE_MS)
    for (;;) {
      const { whole, rest } = splitAnswers(received, socket.closed)
      if (whole.length >= answers) return whole
      if (socket.closed) {
        if (rest === '' || socket.writableEnded) return whole
        throw new Error(`half an answer: ${JSON.stringify(rest)}`)
      }
      if (late.aborted) throw new Error(`no end after ${JSON.stringify(received)}`)
      await Promise.race([closed, once(socket, 'data', { signal: late }).catch(() => {})])
    }
  }

  return {
    socket,
    receive,
    end: () => void socket.end(),
    get received() {
      return received
    },
    async send(...pieces) {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece)
        await nextTurn()
      }
    },
  }
}

/** The answers that are there whole, interim ones left out, and what is left behind them. */
function splitAnswers(text: string, isClosed: boolean): { whole: Answer[]; rest: string } {
  const whole: Answer[] = []
  let rest = text
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3}) .*\r\n((?:.+\r\n)*)\r\n/.exec(rest)
    if (!head) return { whole, rest }
    const [{ length }, status = '', lines = ''] = head
    const headers = new Headers(
      lines
        .split('\r\n')
        .slice(0, -1)
        .map((line) => line.split(/: ?(.*)/, 2) as [string, string]),
    )
    const behind = rest.slice(length)
    if (status.startsWith('1')) {
      rest = behind
      continue
    }
    const body = readBody(headers, behind, isClosed)
    if (!body) return { whole, rest }
    whole.push(readAnswer(Number(status), headers, body.text))
    rest = body.rest
  }
}

function readBody(headers: Headers, text: string, isClosed: boolean) {
  const length = headers.get('content-length')
  if (length !== null) {
    const bytes = Buffer.from(text)
    if (bytes.length < Number(length)) return undefined
    const end = Number(length)
    return { text: bytes.toString('utf8', 0, end), rest: bytes.toString('utf8', end) }
  }
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(text)
  // Without a length a body ends with the connection (RFC 9112, 6.3).
  return isClosed ? { text, rest: '' } : undefined
}

function readChunks(text: string): { text: string; rest: string } | undefined {
  let bytes = Buffer.from(text)
  let body = ''
  for (;;) {
    const [line = ''] = bytes.toString('latin1').split('\r\n', 1)
    const size = parseInt(line, 16)
    const start = line.length + 2
    if (!(bytes.length >= start + size + 2)) return undefined
    body += bytes.toString('utf8', start, start + size)
    bytes = bytes.subarray(start + size + 2)
    if (size === 0) return { text: body, rest: bytes.toString() }
  }
}
