import type { FastifyInstance } from 'fastify'
import type { Chat } from '#chat/index.ts'
import type { Identity } from '#identity/index.ts'
import type { Models } from '#models/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerOperation } from '../http/register-operation.ts'
import type { Wallet } from '../payments/wallet.ts'
import { createAuditHandlers, type AuditTools } from './audit-handlers.ts'
import { createAuthenticateSession } from './authenticate-session.ts'
import { createAuthorize } from './authorize.ts'
import { createConnectedAppHandlers } from './connected-app-handlers.ts'
import { createMemberHandlers } from './member-handlers.ts'
import { createModelHandlers } from './model-handlers.ts'
import { createMovementHandlers } from './movement-handlers.ts'
import { createOwnAccountHandlers, type OwnAccountTools } from './own-account-handlers.ts'
import { createOwnKeyHandlers } from './own-key-handlers.ts'
import { createPersonHandlers } from './person-handlers.ts'
import { createPersonalDataHandlers } from './personal-data-handlers.ts'
import type { PersonalDataTools } from './personal-data.ts'
import { registerPlayground } from './playground.ts'
import { createRequestHandlers } from './request-handlers.ts'
import { createUsageHandlers } from './usage-handlers.ts'
import { createSettingsHandlers, type ServiceSettings } from './settings-handlers.ts'
import { createWalletHandlers } from './wallet-handlers.ts'
import { createWatchHandlers, type WatchTools } from './watch-handlers.ts'

export interface ConsoleApiOptions
  extends PersonalDataTools, OwnAccountTools, AuditTools, WatchTools, ServiceSettings {
  readonly contract: Contract
  readonly identity: Identity
  readonly wallet: Wallet
  readonly models: Models
  readonly chat: Chat
}

/** /console/api: for a person who is signed in, about themselves. */
export function registerConsoleApi(server: FastifyInstance, options: ConsoleApiOptions): void {
  server.decorateRequest('session', null)
  server.decorateRequest('membership', null)
  const onRequest = createAuthenticateSession(options.identity)
  const authorizeFor = createAuthorize(options)
  const handlers = {
    ...createPersonHandlers(options.identity),
    ...createPersonalDataHandlers(options),
    ...createSettingsHandlers(options),
    ...createConnectedAppHandlers(options.identity),
    ...createWalletHandlers(options.wallet),
    ...createOwnAccountHandlers(options),
    ...createOwnKeyHandlers(options),
    ...createUsageHandlers(options),
    ...createRequestHandlers(options),
    ...createMovementHandlers(options),
    ...createAuditHandlers(options),
    ...createMemberHandlers(options),
    ...createModelHandlers(options.models, options.serviceName),
    ...createWatchHandlers(server, options),
  }
  const operations = options.contract.console
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    const operation = operations[name]
    const preHandler = authorizeFor(operation)
    registerOperation(server, operation, { onRequest, preHandler, handler: handlers[name] })
  }
  registerPlayground(server, { ...options, authenticateSession: onRequest, authorizeFor })
}
