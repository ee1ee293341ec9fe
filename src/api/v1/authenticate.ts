import type { FastifyRequest } from 'fastify'
import type { Accounts } from '#accounts/index.ts'
import { describeUnrecognised } from '#chat/index.ts'
import type { Gate } from '#gate/index.ts'
import { readBearer } from '../http/read-bearer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the API key that the request came with, once it is known to be one of ours. */
    keyHash: string
  }
}

/** Refuses a request whose key is not one of ours, before its body is read. */
export function createAuthenticate({ accounts, gate }: { accounts: Accounts; gate: Gate }) {
  return async function authenticate(request: FastifyRequest): Promise<void> {
    const key = readBearer(request.headers.authorization)
    const keyHash = key === undefined ? undefined : accounts.hashOf(key)
    if (keyHash === undefined) throw describeUnrecognised('unknown')
    const recognition = await gate.recognise(keyHash)
    if (recognition.kind !== 'recognised') throw describeUnrecognised(recognition.kind)
    request.keyHash = keyHash
    request.caller = recognition.accountId
  }
}
