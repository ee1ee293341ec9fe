export interface Written {
  readonly key: string
  /** Of the only message. */
  readonly length?: number
  readonly stream?: boolean
  readonly method?: string
  readonly target?: string
  readonly version?: string
  readonly host?: string
  /** Header lines in the place of Content-Length, each with its end. */
  readonly framing?: string
  readonly body?: string
}

/** The text of a chat request, each part of it as it should be or as it is given. */
export function writeRequest({ key, length = 1, stream = false, ...parts }: Written): string {
  const message = { role: 'user', content: 'x'.repeat(length) }
  const { body = JSON.stringify({ messages: [message], stream }), version = '1.1' } = parts
  const { method = 'POST', target = '/v1/chat/air', host = 'Host: x\r\n' } = parts
  const { framing = `Content-Length: ${Buffer.byteLength(body)}\r\n` } = parts
  return (
    `${method} ${target} HTTP/${version}\r\n${host}Authorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\n${framing}\r\n${body}`
  )
}
