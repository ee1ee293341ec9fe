import type { FastifyInstance } from 'fastify'
import type { Members, Persons } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import type { Wallet } from '../payments/wallet.ts'
import { registerOpenId } from './openid-routes.ts'
import type { Page } from './pages/page.ts'
import { registerPages } from './pages/page-routes.ts'
import { registerPeople } from './people-routes.ts'

export { describeBelowPages } from './pages/page-routes.ts'

export interface IdentityApiOptions {
  readonly identity: Identity
  readonly persons: Persons
  readonly members: Members
  readonly wallet: Wallet
  /** Those of other parts, in the same frame. */
  readonly pages: readonly Page[]
}

/** All that is served at {auth_url}: signing in here, and signing in to other apps with us. */
export function registerIdentityApi(server: FastifyInstance, options: IdentityApiOptions): void {
  registerPeople(server, options)
  registerOpenId(server, options)
  registerPages(server, options)
}
