import type { IncomingMessage } from 'node:http'
import { Fault } from '#platform/fault.ts'

/** More can never fit a context window. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024

interface BodyRequest {
  readonly headers: IncomingMessage['headers']
  readonly sentType: string | undefined
}

/**
 * The JSON that a request carries; a Fault, as a value, where it carries none. It is not thrown, for
 * some operations have to count a request before they may tell what is wrong with it.
 */
export async function readJsonBody(
  { headers, sentType }: BodyRequest,
  payload: IncomingMessage,
): Promise<unknown> {
  const type = sentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    return invalidBody('must be sent as application/json (Content-Type)')
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge()
  const bytes = await readBytes(payload)
  if (bytes instanceof Fault) return bytes
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return invalidBody('must be valid JSON')
  }
}

/** Stops at the bound: what is beyond it is never held. */
function readBytes(payload: IncomingMessage): Promise<Buffer | Fault> {
  const { promise, resolve } = Promise.withResolvers<Buffer | Fault>()
  const chunks: Buffer[] = []
  let size = 0
  function onData(chunk: Buffer): void {
    size += chunk.length
    chunks.push(chunk)
    if (size <= MAX_BODY_BYTES) return
    payload.off('data', onData)
    chunks.length = 0
    // The rest flows by unread, so that the client can take our answer.
    payload.resume()
    resolve(tooLarge())
  }
  payload.on('data', onData)
  payload.once('end', () =>
    resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
  )
  payload.once('error', () => resolve(invalidBody('ended before its end')))
  return promise
}

function tooLarge(): Fault {
  return invalidBody('must be at most 16 MiB')
}

function invalidBody(sentence: string): Fault {
  return new Fault('invalid_request', `body: ${sentence}`)
}
