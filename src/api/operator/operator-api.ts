import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Gate } from '#gate/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { Models } from '#models/index.ts'
import type { Contract } from '../contract/index.ts'
import { readBearer } from '../http/read-bearer.ts'
import { registerOperation } from '../http/register-operation.ts'
import { createAccountHandlers } from './account-handlers.ts'
import { createKeyHandlers } from './key-handlers.ts'
import { createServiceHandlers } from './service-handlers.ts'

export interface OperatorApiOptions {
  readonly contract: Contract
  readonly operatorToken: string
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly gate: Gate
  readonly models: Models
  readonly clock: Clock
}

/** /operator/v1: for whoever runs the service. */
export function registerOperatorApi(server: FastifyInstance, options: OperatorApiOptions): void {
  const onRequest = createAuthenticate(options.operatorToken)
  const handlers = {
    ...createAccountHandlers(options),
    ...createKeyHandlers(options),
    ...createServiceHandlers(options),
  }
  const operations = options.contract.operator
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    registerOperation(server, operations[name], { onRequest, handler: handlers[name] })
  }
}

function createAuthenticate(operatorToken: string) {
  const expected = digest(operatorToken)
  return async function authenticate(request: FastifyRequest): Promise<void> {
    const given = readBearer(request.headers.authorization)
    // Digests are of one length and are compared in constant time.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return
    throw new Fault(
      'invalid_operator_token',
      'The operator token is missing or wrong. Send it as "Authorization: Bearer <token>".',
    )
  }
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
