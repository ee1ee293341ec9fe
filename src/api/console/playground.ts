import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/index.ts'
import { describeUnrecognised, type Chat } from '#chat/index.ts'
import type { Gate } from '#gate/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerChatRoute } from '../v1/chat-route.ts'
import { doerOf } from './authenticate-session.ts'
import { accountOf, type createAuthorize } from './authorize.ts'

export interface PlaygroundOptions {
  readonly contract: Contract
  readonly accounts: Accounts
  readonly gate: Gate
  readonly chat: Chat
  readonly authenticateSession: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  readonly authorizeFor: ReturnType<typeof createAuthorize>
}

/** The gate looks again when it admits. */
const MAX_GLANCE_MS = 60_000

/**
 * The chat route for a person who is signed in. Their session stands in for a key: it finds the
 * account's console key, and from there on the request is as any other of the account.
 */
export function registerPlayground(server: FastifyInstance, options: PlaygroundOptions): void {
  const { contract, accounts, gate, chat, authenticateSession } = options
  const operation = contract.playground.ownChat
  const authorize = options.authorizeFor(operation)

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await authenticateSession(request, reply)
    await authorize(request)
    const account = accountOf(request)
    // Nothing is made for an account that calls nobody now.
    if (account.suspended) throw describeUnrecognised('suspended')
    const keyHash = await accounts.consoleKeyHash(account.id, doerOf(request))
    const recognition = await gate.recognise(keyHash, MAX_GLANCE_MS)
    if (recognition.kind !== 'recognised') throw describeUnrecognised(recognition.kind)
    request.keyHash = keyHash
    request.caller = account.id
  }

  registerChatRoute(server, { operation, chat, authenticate })
}
