import { randomBytes } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Store } from '#platform/store/index.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Ledger } from '#ledger/index.ts'
import {
  createPayments,
  createSandbox,
  createStripeProvider,
  type Payments,
  type Seller,
} from '#payments/index.ts'
import type { PaymentConfig } from './payment-config.ts'

interface Wanted {
  readonly payments: PaymentConfig
  readonly seller: Seller
  readonly store: Store
  readonly log: Log
  /** The origin of {auth_url}, where pages are. */
  readonly issuer: string
}

interface Rooms {
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly clock: Clock
}

/** The payments room with whoever takes the money; undefined where nobody does. */
export function preparePayments(wanted: Wanted, rooms: Rooms): Payments | undefined {
  const { payments: config } = wanted
  switch (config.kind) {
    case 'stripe':
      return createPayments({ ...wanted, ...rooms, provider: createStripeProvider(config) })
    case 'sandbox':
      return prepareSandbox(wanted, rooms)
    case 'off':
      return undefined
  }
}

function prepareSandbox(wanted: Wanted, rooms: Rooms): Payments {
  const sandbox = createSandbox({
    store: wanted.store,
    clock: rooms.clock,
    // Events are handed over within this process: nobody else has to know what signs them.
    webhookSecret: `whsec_${randomBytes(32).toString('hex')}`,
    deliver: (body, signature) => payments.receive(body, signature),
    pageUrl: `${wanted.issuer}/sandbox/checkout`,
  })
  const payments = createPayments({ ...wanted, ...rooms, provider: sandbox, sandbox })
  return payments
}
