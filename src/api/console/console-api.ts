import type { FastifyInstance } from 'fastify'
import type { Identity } from '#identity/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerOperation } from '../http/register-operation.ts'
import { createAuthenticateSession } from './authenticate-session.ts'
import { createConnectedAppHandlers } from './connected-app-handlers.ts'
import { createPersonHandlers } from './person-handlers.ts'

export interface ConsoleApiOptions {
  readonly contract: Contract
  readonly identity: Identity
}

/** /console/api: for a person who is signed in, about themselves. */
export function registerConsoleApi(server: FastifyInstance, options: ConsoleApiOptions): void {
  server.decorateRequest('session', null)
  const onRequest = createAuthenticateSession(options.identity)
  const handlers = {
    ...createPersonHandlers(options.identity),
    ...createConnectedAppHandlers(options.identity),
  }
  const operations = options.contract.console
  for (const name of Object.keys(operations) as (keyof typeof operations)[]) {
    registerOperation(server, operations[name], { onRequest, handler: handlers[name] })
  }
}
