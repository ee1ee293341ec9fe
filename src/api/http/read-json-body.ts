import type { IncomingMessage } from 'node:http'
import { Fault } from '#platform/fault.ts'
import type { Shares } from '#platform/shares.ts'
import { createGatherer } from './gather-bytes.ts'
import { hasTooManyValues } from './has-too-many-values.ts'

/** More can never fit a context window. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024
/** Far more than any conversation with its tools has. */
const MAX_VALUES = 250_000

export interface BodyRequest {
  readonly headers: IncomingMessage['headers']
  readonly sentType: string | undefined
  /** Whose request it is. */
  readonly caller: string
  /** What its body has taken of the room for bodies; whoever answers the request gives it back. */
  heldBytes: number
}

/**
 * Reads the JSON that a request carries; a Fault, as a value, where it carries none. It is not thrown,
 * for some operations have to count a request before they may tell what is wrong with it. The room is
 * what all bodies under way may take together, in bytes.
 */
export function createJsonBodyReader(room: Shares) {
  return async function readJsonBody(
    request: BodyRequest,
    payload: IncomingMessage,
  ): Promise<unknown> {
    const type = request.sentType?.split(';', 1)[0]?.trim().toLowerCase()
    if (type !== 'application/json') {
      return invalidBody('must be sent as application/json (Content-Type)')
    }
    const bytes = await readBytes(request, payload, room)
    return bytes instanceof Fault ? bytes : parse(bytes)
  }
}

/** Stops at the bounds: what is beyond them is never held. */
async function readBytes(
  request: BodyRequest,
  payload: IncomingMessage,
  room: Shares,
): Promise<Buffer | Fault> {
  const toldBytes = Number(request.headers['content-length'] ?? 0)
  if (toldBytes > MAX_BODY_BYTES) return tooLarge()
  // Told beforehand, its room is taken at once; else as it comes.
  const refusal = takeRoom(request, toldBytes, room)
  if (refusal) return refusal
  const { promise, resolve } = Promise.withResolvers<Buffer | Fault>()
  const gathered = createGatherer()

  function refuse(fault: Fault): void {
    payload.off('data', onData)
    gathered.clear()
    // The rest flows by unread, so that the client can take our answer.
    payload.resume()
    resolve(fault)
  }

  function onData(chunk: Buffer): void {
    const size = gathered.size() + chunk.length
    if (size > MAX_BODY_BYTES) return refuse(tooLarge())
    const full = takeRoom(request, size - request.heldBytes, room)
    if (full) return refuse(full)
    gathered.add(chunk)
  }

  function onEnd(): void {
    resolve(gathered.bytes())
    // The request lives as long as its reply; its bytes, which these hold on to, need not.
    payload.off('data', onData).off('error', onError)
  }

  function onError(): void {
    resolve(invalidBody('ended before its end'))
  }

  payload.on('data', onData).once('end', onEnd).once('error', onError)
  return promise
}

function takeRoom(request: BodyRequest, bytes: number, room: Shares): Fault | undefined {
  if (bytes <= 0) return undefined
  const outcome = room.take(request.caller, bytes)
  if (outcome !== 'taken') return noRoom(outcome)
  request.heldBytes += bytes
  return undefined
}

function parse(bytes: Buffer): unknown {
  if (hasTooManyValues(bytes, MAX_VALUES)) {
    return invalidBody(`must have at most ${MAX_VALUES} values`)
  }
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return invalidBody('must be valid JSON')
  }
}

function noRoom(outcome: 'owner_has_its_share' | 'all_is_taken'): Fault {
  const whose = outcome === 'all_is_taken' ? 'The service' : 'This account'
  return new Fault(
    'model_unavailable',
    `${whose} has as much input under way as can be held now; try again shortly.`,
    { reason: 'no room for the body' },
  )
}

function tooLarge(): Fault {
  return invalidBody('must be at most 16 MiB')
}

function invalidBody(sentence: string): Fault {
  return new Fault('invalid_request', `body: ${sentence}`)
}
