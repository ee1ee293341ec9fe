import type { FastifyInstance } from 'fastify'
import type { Log } from '#platform/log.ts'
import type { PaymentRecords } from '#payments/index.ts'
import { createContract } from './contract/index.ts'
import { registerConsoleApi } from './console/console-api.ts'
import { isBelowConsole, registerConsoleApp } from './console/console-app.ts'
import type { WatchBounds } from './console/watch-handlers.ts'
import { isBelowDocs, registerDocsPages } from './docs/docs-pages.ts'
import type { HttpBounds } from './http/bounds.ts'
import { refuseUnrouted } from './http/refuse-unrouted.ts'
import { createServer } from './http/server.ts'
import {
  describeBelowPages,
  registerIdentityApi,
  type IdentityApiOptions,
} from './identity/identity-api.ts'
import { registerOperatorApi, type OperatorApiOptions } from './operator/operator-api.ts'
import { createPaymentPages } from './payments/pages/payment-pages.ts'
import { createWallet } from './payments/wallet.ts'
import { registerWebhook } from './payments/webhook-route.ts'
import { registerPublicApi, type PublicApiOptions } from './v1/public-api.ts'

export type ApiOptions = Omit<
  OperatorApiOptions & PublicApiOptions & IdentityApiOptions,
  'contract' | 'members' | 'wallet' | 'pages'
> & {
  readonly trustedProxies?: readonly string[]
  readonly isDraining?: () => boolean
  readonly log: Log
  readonly paymentRecords: PaymentRecords
  /** Ends in "/v1". */
  readonly baseUrl: string
  readonly bounds?: Partial<HttpBounds>
  readonly watchBounds?: Partial<WatchBounds>
}

/** All HTTP surfaces on one server, not listening yet. */
export function createApi(options: ApiOptions): FastifyInstance {
  const { log, clock, origin, serviceName } = options
  const contract = createContract(serviceName)
  const server = createServer({
    log,
    nowMs: () => clock.nowMs(),
    origin,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    ...(options.bounds && { bounds: options.bounds }),
    ...(options.isDraining && { isDraining: options.isDraining }),
  })
  registerPublicApi(server, { ...options, contract })
  registerDocsPages(server, origin)
  registerOperatorApi(server, { ...options, contract })
  const wallet = createWallet({ ...options, issuer: options.identity.issuer })
  const pages = createPaymentPages(options.payments)
  registerIdentityApi(server, { ...options, members: options.accounts.members, wallet, pages })
  if (options.payments) registerWebhook(server, options.payments)
  registerConsoleApi(server, { ...options, contract, wallet })
  registerConsoleApp(server, options.identity.issuer)
  const ofPeople = describeBelowPages(pages)
  refuseUnrouted(server, contract.operations, {
    ...ofPeople,
    has: (path) => ofPeople.has(path) || isBelowConsole(path) || isBelowDocs(path),
  })
  return server
}
