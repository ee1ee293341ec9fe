import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Scope } from './service.ts'

/** A mail as it came over the wire. */
export interface ReceivedMail {
  readonly from: string
  readonly to: string
  readonly data: string
}

/** A small mail server (RFC 5321) that takes everything, or answers mails as it is told. */
export interface SmtpServer {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  /** How often a client connected. */
  readonly connections: () => number
  close(): Promise<void>
}

export interface SmtpServerOptions {
  /** What the next mails are answered with after their data, one each; then "250 taken". */
  readonly answers?: readonly string[]
  /** Lines of the answer to EHLO beside the first. */
  readonly extensions?: readonly string[]
  /** The password that AUTH PLAIN takes; any other is refused. */
  readonly login?: string
  /** Says nothing at all. */
  readonly silent?: boolean
}

export async function startSmtpServer(
  scope: Scope,
  options: SmtpServerOptions = {},
): Promise<SmtpServer> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const answers = [...(options.answers ?? [])]
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (options.silent) return
    converse(socket, options, (mail) => {
      const answer = answers.shift() ?? '250 taken'
      if (answer.startsWith('2')) received.push(mail)
      return answer
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    if (server.listening) server.close()
  }
  scope.after(close)
  const { port } = server.address() as AddressInfo
  return { port, received, connections: () => connections, close }
}

function converse(
  socket: Socket,
  { extensions = [], login }: SmtpServerOptions,
  take: (mail: ReceivedMail) => string,
): void {
  let rest = ''
  let data: string[] | undefined
  let envelope = { from: '', to: '' }
  const say = (line: string): void => void socket.write(`${line}\r\n`)

  function onLine(line: string): void {
    if (data) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''))
      say(take({ ...envelope, data: data.join('\n') }))
      data = undefined
      return
    }
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1)
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'EHLO') {
      const lines = ['mail.test', ...extensions]
      for (const [index, one] of lines.entries()) {
        say(`250${index < lines.length - 1 ? '-' : ' '}${one}`)
      }
    } else if (verb === 'AUTH') {
      // RFC 4616: an empty name, the user, and the password, with a null character between them.
      const [, , password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0')
      say(password === login ? '235 welcome' : '535 no')
    } else if (verb === 'MAIL') {
      envelope = { ...envelope, from: address }
      say('250 ok')
    } else if (verb === 'RCPT') {
      envelope = { ...envelope, to: address }
      say('250 ok')
    } else if (verb === 'DATA') {
      data = []
      say('354 go on')
    } else if (verb === 'QUIT') {
      socket.end('221 bye\r\n')
    } else {
      say('500 what?')
    }
  }

  say('220 mail.test')
  socket.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}
