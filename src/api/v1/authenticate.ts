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

/**
 * Refuses a request whose key is not one of ours, before its body is read. What is known of a key may
 * be so old where it is asked about again before anything is done; else it is of this moment.
 */
export function createAuthenticate(
  { accounts, gate }: { readonly accounts: Accounts; readonly gate: Gate },
  maxAgeMs: number,
) {
  return async function authenticate(request: FastifyRequest): Promise<void> {
    const key = readBearer(request.headers.authorization)
    const keyHash = key === undefined ? undefined : accounts.hashOf(key)
    if (keyHash === undefined) throw describeUnrecognised('unknown')
    const recognition = await gate.recognise(keyHash, maxAgeMs)
    if (recognition.kind !== 'recognised') throw describeUnrecognised(recognition.kind)
    request.keyHash = keyHash
    request.caller = recognition.accountId
  }
}
