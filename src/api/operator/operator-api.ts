import type { FastifyInstance } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import type { Accounts, Persons } from '#accounts/index.ts'
import type { Alerts } from '#alerts/index.ts'
import type { Gate } from '#gate/index.ts'
import type { Identity } from '#identity/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { Payments } from '#payments/index.ts'
import type { Models } from '#models/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerOperation } from '../http/register-operation.ts'
import { createAccountHandlers } from './account-handlers.ts'
import { createAlertHandlers } from './alert-handlers.ts'
import { createAuthenticateOperator } from './authenticate-operator.ts'
import { createClientHandlers } from './client-handlers.ts'
import { createKeyHandlers } from './key-handlers.ts'
import { createLedgerHandlers } from './ledger-handlers.ts'
import { createMemberHandlers } from './member-handlers.ts'
import { createPaymentHandlers, createRefundHandlers } from './payment-handlers.ts'
import { createPersonDeedHandlers } from './person-deed-handlers.ts'
import { createPersonHandlers } from './person-handlers.ts'
import { createServiceHandlers } from './service-handlers.ts'
import { createSigningKeyHandlers } from './signing-key-handlers.ts'

export interface OperatorApiOptions {
  readonly contract: Contract
  readonly operatorToken: string
  readonly accounts: Accounts
  readonly persons: Persons
  readonly identity: Identity
  readonly ledger: Ledger
  readonly gate: Gate
  readonly models: Models
  readonly payments: Payments | undefined
  readonly alerts: Alerts
  readonly clock: Clock
  /** How browsers reach the service. */
  readonly origin: string
}

/** /operator/v1: for whoever runs the service. */
export function registerOperatorApi(server: FastifyInstance, options: OperatorApiOptions): void {
  server.decorateRequest('actor', '')
  const onRequest = createAuthenticateOperator(options)
  const handlers = {
    ...createAccountHandlers(options),
    ...createMemberHandlers(options),
    ...createKeyHandlers(options),
    ...createServiceHandlers(options),
    ...createClientHandlers(options.identity.clients),
    ...createPersonHandlers(options),
    ...createPersonDeedHandlers(options),
    ...createSigningKeyHandlers(options.identity),
    ...createPaymentHandlers(options),
    ...createRefundHandlers(options),
    ...createAlertHandlers(options),
    ...createLedgerHandlers(options),
  }
  const operations = options.contract.operator
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    registerOperation(server, operations[name], { onRequest, handler: handlers[name] })
  }
}
