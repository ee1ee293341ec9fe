import type { Kysely } from 'kysely'
import type { NanoEuro } from '#platform/money.ts'
import { withTables, type Store } from '#platform/store/index.ts'
import { createSandboxBooks, describeStanding } from './sandbox-books.ts'
import { ProviderFailed, type PaymentProvider, type ProviderPayment } from './provider.ts'
import { readStripeEvent, toCents, toNano } from './read-stripe-event.ts'
import type { SandboxAct } from './sandbox-act.ts'
import { listActs } from './sandbox-acts.ts'
import type { PaymentTables, SandboxPaymentTable } from './tables.ts'
import { selectWaiting, tellSandboxEvents, type TellingOptions } from './tell-sandbox-events.ts'
import { verifyStripeEvent } from './verify-stripe-event.ts'

export interface SandboxOptions extends TellingOptions {
  readonly store: Store
  /** Where the page of a checkout is, e.g. "https://…/sandbox/checkout". */
  readonly pageUrl: string
}

/** A stand-in for Stripe: its events have the same shape and are signed the same way. */
export interface Sandbox extends PaymentProvider {
  find(sessionId: string): Promise<SandboxCheckout | undefined>
  /**
   * Plays what a buyer or a bank would do; the events of it are told before this resolves. Where an act
   * is not all told yet, playing it again tells it, and no more.
   */
  play(sessionId: string, act: SandboxAct, seen?: string): Promise<Playing>
}

/** `impossible`: Stripe's could not do that either, or not any more. */
export type Playing = 'played' | 'impossible'

/** What a checkout's page shows. */
export interface SandboxCheckout {
  readonly amount: NanoEuro
  readonly refunded: NanoEuro
  readonly state: SandboxPaymentTable['state']
  readonly dispute: SandboxPaymentTable['dispute']
  readonly returnUrl: string
  /** What can be played; where something has not been told yet, that alone. */
  readonly acts: readonly SandboxAct[]
  readonly isAllTold: boolean
  /** For `seen`: other than before once anything has happened. */
  readonly standing: string
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { store, webhookSecret, pageUrl, clock } = options
  const db = withTables<PaymentTables>(store.db)
  const books = createSandboxBooks(db, clock)
  const tell = (sessionId: string) => tellSandboxEvents(db, options, sessionId)

  return {
    name: 'sandbox',
    isTest: true,
    find: (sessionId) => findCheckout(db, sessionId),
    async openCheckout({ topupId, amount, returnUrl }) {
      // The same top-up has the same session, as Stripe's idempotency key has it.
      const sessionId = `cs_test_${topupId}`
      const opened = { topup_id: topupId, return_url: returnUrl, created_at: clock.nowMs() }
      await db
        .insertInto('sandbox_payment')
        .values({
          ...opened,
          session_id: sessionId,
          payment_id: `pi_test_${topupId}`,
          amount_cents: toCents(amount),
          refunded_cents: 0,
          state: 'open',
          dispute: null,
          disputed_cents: 0,
        })
        .onConflict((conflict) => conflict.column('session_id').doNothing())
        .execute()
      return { sessionId, url: `${pageUrl}/${sessionId}` }
    },
    async readEvent(body, signature) {
      return readStripeEvent(await verifyStripeEvent(body, signature, webhookSecret))
    },
    async refund({ paymentId, amount, reference }) {
      const refund = { paymentId, cents: toCents(amount), reference }
      const refunding = await books.recordRefund(refund)
      if ('problem' in refunding) throw new ProviderFailed(new Error(refunding.problem))
      await tell(refunding.sessionId)
    },
    async play(sessionId, act, seen) {
      if (sessionId.includes('\0')) return 'impossible'
      if ((await tell(sessionId)).includes(act)) return 'played'
      if (!(await books.record(sessionId, act, seen))) return 'impossible'
      await tell(sessionId)
      return 'played'
    },
    listPayments: (sinceMs) => listPayments(db, sinceMs),
  }
}

async function findCheckout(
  db: Kysely<PaymentTables>,
  sessionId: string,
): Promise<SandboxCheckout | undefined> {
  if (sessionId.includes('\0')) return undefined
  const payment = await db
    .selectFrom('sandbox_payment')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  if (!payment) return undefined
  const [waiting] = await selectWaiting(db, sessionId)
  return {
    amount: toNano(payment.amount_cents),
    refunded: toNano(payment.refunded_cents),
    state: payment.state,
    dispute: payment.dispute,
    returnUrl: payment.return_url,
    acts: waiting ? [waiting.act] : listActs(payment),
    isAllTold: waiting === undefined,
    standing: describeStanding(payment),
  }
}

async function* listPayments(
  db: Kysely<PaymentTables>,
  sinceMs: number,
): AsyncGenerator<ProviderPayment> {
  const payments = await db
    .selectFrom('sandbox_payment')
    .selectAll()
    .where('created_at', '>=', sinceMs)
    .where('state', '=', 'paid')
    .execute()
  for (const payment of payments) {
    yield {
      paymentId: payment.payment_id,
      topupId: payment.topup_id,
      amount: toNano(payment.amount_cents),
      refunded: toNano(payment.refunded_cents),
      currency: 'eur',
      createdAtMs: payment.created_at,
    }
  }
}
