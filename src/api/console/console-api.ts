import type { FastifyInstance } from 'fastify'
import type { Identity } from '#identity/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerOperation } from '../http/register-operation.ts'
import type { Wallet } from '../payments/wallet.ts'
import { createAuthenticateSession } from './authenticate-session.ts'
import { createConnectedAppHandlers } from './connected-app-handlers.ts'
import { createPersonHandlers } from './person-handlers.ts'
import { createSettingsHandlers, type ServiceSettings } from './settings-handlers.ts'
import { createWalletHandlers } from './wallet-handlers.ts'

export interface ConsoleApiOptions extends Omit<ServiceSettings, 'wallet'> {
  readonly contract: Contract
  readonly identity: Identity
  readonly wallet: Wallet
}

/** /console/api: for a person who is signed in, about themselves. */
export function registerConsoleApi(server: FastifyInstance, options: ConsoleApiOptions): void {
  server.decorateRequest('session', null)
  const onRequest = createAuthenticateSession(options.identity)
  const handlers = {
    ...createPersonHandlers(options.identity),
    ...createSettingsHandlers(options),
    ...createConnectedAppHandlers(options.identity),
    ...createWalletHandlers(options.wallet),
  }
  const operations = options.contract.console
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    registerOperation(server, operations[name], { onRequest, handler: handlers[name] })
  }
}
