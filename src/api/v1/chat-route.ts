import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Chat, ChatCall, Exchange } from '#chat/index.ts'
import { isBrand } from '#models/index.ts'
import type { Operation } from '../contract/index.ts'
import { toFault } from '../http/faults.ts'
import { registerOperation } from '../http/register-operation.ts'
import { createEventStream } from './event-stream.ts'
import { setRateLimitHeaders } from './rate-limit-headers.ts'
import { readChatCall } from './read-chat-call.ts'
import { writeCompletion, type ReplyIdentity } from './write-completion.ts'

export interface ChatRouteOptions {
  readonly operation: Operation
  readonly chat: Chat
  readonly authenticate: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/**
 * POST /v1/chat/{brand}. Every request with a good key is counted before anything that is wrong with
 * it is told, so problems with the address and the body are gathered here and handed to `admit`.
 */
export function registerChatRoute(server: FastifyInstance, options: ChatRouteOptions): void {
  const { operation, chat, authenticate } = options

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const exchange = await admit(chat, request, reply, readCall(request))
    watchClient(reply, () => chat.leave(exchange))
    const answer = exchange.request.streamed ? answerStream : answerWhole
    return answer(exchange, reply)
  }

  async function answerWhole(exchange: Exchange, reply: FastifyReply): Promise<unknown> {
    try {
      const completion = await chat.complete(exchange)
      if (completion) return writeCompletion(identify(exchange), completion)
      return hangUp(reply)
    } finally {
      // What is left after reconciling, for a reply and for a refusal in its place.
      setRateLimitHeaders(reply, exchange.allowance)
    }
  }

  async function answerStream(exchange: Exchange, reply: FastifyReply): Promise<void> {
    setRateLimitHeaders(reply, exchange.allowance)
    try {
      await chat.stream(exchange, createEventStream(reply, identify(exchange)))
    } catch (refusal) {
      setRateLimitHeaders(reply, exchange.allowance)
      throw refusal
    }
    if (!reply.sent) hangUp(reply)
  }

  registerOperation(server, operation, {
    onRequest: authenticate,
    attachValidation: true,
    handler: handle,
  })
}

/** The hold that the request goes on with. Throws what it was refused for, headers set. */
async function admit(
  chat: Chat,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: ChatCall | Fault,
): Promise<Exchange> {
  const arrival = {
    requestId: request.id,
    keyHash: request.keyHash,
    accountId: request.caller,
    atMs: request.arrivedAtMs,
    monotonicMs: request.arrivedMonotonicMs,
  }
  const attempt = await chat.admit(arrival, asked)
  if (attempt.kind === 'admitted') return attempt.exchange
  if (attempt.allowance) setRateLimitHeaders(reply, attempt.allowance)
  throw attempt.fault
}

function readCall(request: FastifyRequest): ChatCall | Fault {
  const { brand } = request.params as { brand: string }
  if (!isBrand(brand)) return unknownModel()
  const { validationError, body } = request
  // What is of use is read now; the rest, up to 16 MiB, must not be held for as long as the reply takes.
  request.body = undefined
  return readChatCall(brand, body, validationError && toFault(validationError))
}

function unknownModel(): Fault {
  return new Fault('unknown_model', 'There is no such model; the brands are air, prime and nova.')
}

function identify({ arrival, model }: Exchange): ReplyIdentity {
  return {
    id: arrival.requestId.replace('req_', 'chatcmpl-'),
    created: Math.floor(arrival.atMs / 1000),
    model: model.id,
  }
}

/** Calls back if the client goes before its reply has been sent. */
function watchClient(reply: FastifyReply, onLeave: () => void): void {
  const { raw } = reply
  if (raw.destroyed) return onLeave()
  raw.once('close', () => {
    if (!raw.writableFinished) onLeave()
  })
}

/** Nobody is there to answer. */
function hangUp(reply: FastifyReply): void {
  reply.hijack()
  reply.raw.destroy()
}
