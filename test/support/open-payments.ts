import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Stripe } from 'stripe'
import { createAccounts } from '#accounts/index.ts'
import { createLedger } from '#ledger/index.ts'
import { createId } from '#platform/ids.ts'
import { createLog } from '#platform/log.ts'
import { nano, NANO_PER_EURO } from '#platform/money.ts'
import { migrate, withTables, type Engine } from '#platform/store/index.ts'
import {
  createPayments,
  createSandbox,
  createStripeProvider,
  type Payments,
} from '#payments/index.ts'
import type { PaymentTables } from '../../src/payments/tables.ts'
import { MIGRATIONS } from '../../src/tables.ts'
import { openEmptyStore } from './each-engine.ts'
import { createManualClock } from './manual-clock.ts'

export const WEBHOOK_SECRET = 'whsec_of_the_tests'
const SELLER = { name: 'Seller', address: 'Street 1', vatId: 'PT123', vatRate: 23 }

export type OpenPayments = Awaited<ReturnType<typeof openPayments>>

/** The real payments room over real accounts and books; events are signed as Stripe signs them. */
export async function openPayments(t: Pick<TestContext, 'after'>, engine: Engine) {
  const { store, directory } = await openEmptyStore(t, engine)
  t.after(() => store.close())
  await migrate(store, MIGRATIONS)
  const clock = createManualClock()
  const log = createLog('silent')
  const spillPath = join(directory, 'spill.jsonl')
  const ledger = createLedger({ store, clock, log, spillPath })
  t.after(() => ledger.close())
  const changed: string[] = []
  const onChange = { account: (id: string) => void changed.push(id), key: () => {} }
  const accounts = createAccounts({ store, ledger, clock, serviceName: 'svc', onChange })
  const provider = createStripeProvider({ secretKey: 'sk_test_1', webhookSecret: WEBHOOK_SECRET })
  const options = { store, accounts, ledger, clock, log, provider, seller: SELLER }
  const payments = createPayments(options)
  return { store, clock, ledger, accounts, payments, options, changed }
}

/** The same with the sandbox, whose events come in by `deliver`, or do not. */
export async function openSandbox(t: Pick<TestContext, 'after'>, engine: Engine) {
  const opened = await openPayments(t, engine)
  const { store, clock, options } = opened
  const line = { isCut: false, delivered: 0 }
  const sandbox = createSandbox({
    store,
    clock,
    webhookSecret: WEBHOOK_SECRET,
    pageUrl: 'http://parley.test/sandbox/checkout',
    async deliver(body, signature) {
      if (line.isCut) throw new Error('cut')
      line.delivered += 1
      await payments.receive(body, signature)
    },
  })
  const payments = createPayments({ ...options, provider: sandbox, sandbox })
  const account = await opened.accounts.create({ email: 'ada@example.com', name: 'Ada' }, 'test')
  const checkout = { accountId: account.id, email: account.email, returnUrl: 'http://parley.test' }

  async function openTopup(euros: 10 | 20 | 50 | 100 = 20) {
    const { topup, url } = await payments.open({ ...checkout, euros })
    return { topupId: topup.id, sessionId: url.split('/').at(-1) ?? '' }
  }
  return { ...opened, payments, sandbox, line, accountId: account.id, openTopup }
}

/** A top-up as it is once its checkout was opened, without asking Stripe. */
export async function insertTopup(
  { store, clock }: Pick<OpenPayments, 'store' | 'clock'>,
  accountId: string,
  euros: number,
): Promise<string> {
  const id = createId('top')
  await withTables<PaymentTables>(store.db)
    .insertInto('topup')
    .values({
      id,
      account_id: accountId,
      amount_nano: nano(euros * NANO_PER_EURO),
      provider: 'stripe',
      is_test: 1,
      state: 'open',
      session_id: `cs_${id}`,
      payment_id: null,
      refunded_nano: nano(0),
      dispute: null,
      suspended_account: 0,
      created_at: clock.nowMs(),
      paid_at: null,
    })
    .execute()
  return id
}

export interface StripeEvent {
  readonly id?: string
  readonly type: string
  readonly object: object
}

/** Sends an event as Stripe does: signed over its bytes. */
export async function send(payments: Payments, event: StripeEvent): Promise<void> {
  const { body, signature } = signEvent(event)
  await payments.receive(body, signature)
}

export function signEvent(
  { id = createId('evt'), type, object }: StripeEvent,
  { secret = WEBHOOK_SECRET, timestamp }: { secret?: string; timestamp?: number } = {},
): { readonly body: Buffer; readonly signature: string } {
  const payload = JSON.stringify({
    id,
    object: 'event',
    type,
    created: 1_795_000_000,
    data: { object },
  })
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  })
  return { body: Buffer.from(payload), signature }
}

/** The objects that Stripe's events carry, for a top-up of so many euros. */
export function createObjects(topupId: string, euros: number) {
  const cents = euros * 100
  const session = (paymentStatus: 'paid' | 'unpaid', changes: object = {}) => ({
    id: `cs_${topupId}`,
    object: 'checkout.session',
    client_reference_id: topupId,
    payment_intent: `pi_${topupId}`,
    payment_status: paymentStatus,
    amount_total: cents,
    currency: 'eur',
    ...changes,
  })
  const dispute = (status: string) => ({
    id: `dp_${topupId}`,
    object: 'dispute',
    payment_intent: `pi_${topupId}`,
    amount: cents,
    currency: 'eur',
    status,
  })
  return {
    paid: { type: 'checkout.session.completed', object: session('paid') },
    paidOtherwise: (changes: object) => ({
      type: 'checkout.session.completed',
      object: session('paid', changes),
    }),
    unpaid: { type: 'checkout.session.completed', object: session('unpaid') },
    arrived: { type: 'checkout.session.async_payment_succeeded', object: session('paid') },
    failed: { type: 'checkout.session.async_payment_failed', object: session('unpaid') },
    expired: { type: 'checkout.session.expired', object: session('unpaid') },
    refunded: (refundedCents: number) => ({
      type: 'charge.refunded',
      object: {
        id: `ch_${topupId}`,
        object: 'charge',
        amount: cents,
        amount_refunded: refundedCents,
        currency: 'eur',
        payment_intent: `pi_${topupId}`,
        metadata: { topup_id: topupId },
      },
    }),
    disputed: { type: 'charge.dispute.created', object: dispute('needs_response') },
    disputeWon: { type: 'charge.dispute.closed', object: dispute('won') },
    disputeLost: { type: 'charge.dispute.closed', object: dispute('lost') },
  }
}
