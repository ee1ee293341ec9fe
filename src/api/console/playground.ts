import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/index.ts'
import { describeUnrecognised, type Chat } from '#chat/index.ts'
import type { Gate } from '#gate/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerChatRoute } from '../v1/chat-route.ts'
import { doerOf } from './authenticate-session.ts'
import { findAskedAccount } from './find-own-account.ts'

export interface PlaygroundOptions {
  readonly contract: Contract
  readonly accounts: Accounts
  readonly gate: Gate
  readonly chat: Chat
  readonly authenticateSession: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** The gate looks again when it admits. */
const MAX_GLANCE_MS = 60_000

/**
 * The chat route for a person who is signed in. Their session stands in for a key: it finds the
 * account's console key, and from there on the request is as any other of the account.
 */
export function registerPlayground(server: FastifyInstance, options: PlaygroundOptions): void {
  const { contract, accounts, gate, chat, authenticateSession } = options

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await authenticateSession(request, reply)
    const account = await findAskedAccount(accounts, request)
    // Nothing is made for an account that calls nobody now.
    if (account.suspended) throw describeUnrecognised('suspended')
    const keyHash = await accounts.consoleKeyHash(account.id, doerOf(request))
    const recognition = await gate.recognise(keyHash, MAX_GLANCE_MS)
    if (recognition.kind !== 'recognised') throw describeUnrecognised(recognition.kind)
    request.keyHash = keyHash
    request.caller = account.id
  }

  registerChatRoute(server, { operation: contract.playground.ownChat, chat, authenticate })
}
