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
  type PaymentProvider,
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
  const provider = chooseProvider(wanted, rooms.clock, (body, signature) =>
    payments ? payments.receive(body, signature) : Promise.resolve(),
  )
  const payments = provider && createPayments({ ...wanted, ...rooms, provider })
  return payments
}

function chooseProvider(
  { payments, store, issuer }: Wanted,
  clock: Clock,
  deliver: (body: Buffer, signature: string) => Promise<void>,
): PaymentProvider | undefined {
  switch (payments.kind) {
    case 'stripe':
      return createStripeProvider(payments)
    case 'sandbox':
      return createSandbox({
        store,
        clock,
        deliver,
        pageUrl: `${issuer}/sandbox/checkout`,
        // Events are handed over within this process: nobody else has to know it.
        webhookSecret: `whsec_${randomBytes(32).toString('hex')}`,
      })
    case 'off':
      return undefined
  }
}
