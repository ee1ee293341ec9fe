import type { Kysely } from 'kysely'
import { withTables } from '#platform/store/index.ts'
import { play, refundPart, type SandboxAct, type SandboxOptions } from './play-sandbox.ts'
import type { PaymentProvider, ProviderPayment } from './provider.ts'
import { readStripeEvent, toCents, toNano } from './read-stripe-event.ts'
import type { PaymentTables, SandboxPaymentTable } from './tables.ts'
import { verifyStripeEvent } from './verify-stripe-event.ts'

/** A stand-in for Stripe: its events have the same shape and are signed the same way. */
export interface Sandbox extends PaymentProvider {
  find(sessionId: string): Promise<SandboxPaymentTable | undefined>
  /** Plays what a buyer or a bank would do; the events of it are sent before this resolves. */
  play(sessionId: string, act: SandboxAct): Promise<void>
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { store, webhookSecret, pageUrl } = options
  const db = withTables<PaymentTables>(store.db)
  const find = (sessionId: string) => findSession(db, sessionId)

  return {
    name: 'sandbox',
    isTest: true,
    find,
    async openCheckout({ topupId, amount, returnUrl }) {
      // The same top-up has the same session, as Stripe's idempotency key has it.
      const sessionId = `cs_test_${topupId}`
      await db
        .insertInto('sandbox_payment')
        .values({
          session_id: sessionId,
          payment_id: `pi_test_${topupId}`,
          topup_id: topupId,
          amount_cents: toCents(amount),
          refunded_cents: 0,
          state: 'open',
          return_url: returnUrl,
          created_at: options.clock.nowMs(),
        })
        .onConflict((conflict) => conflict.column('session_id').doNothing())
        .execute()
      return { sessionId, url: `${pageUrl}/${sessionId}` }
    },
    async readEvent(body, signature) {
      return readStripeEvent(await verifyStripeEvent(body, signature, webhookSecret))
    },
    async refund({ paymentId, amount }) {
      const payment = await db
        .selectFrom('sandbox_payment')
        .selectAll()
        .where('payment_id', '=', paymentId)
        .executeTakeFirstOrThrow()
      await refundPart(options, payment, toCents(amount))
    },
    async play(sessionId, act) {
      const payment = await find(sessionId)
      if (!payment) throw new Error(`no checkout ${sessionId}`)
      await play(options, payment, act)
    },
    listPayments: (sinceMs) => listPayments(db, sinceMs),
  }
}

function findSession(
  db: Kysely<PaymentTables>,
  sessionId: string,
): Promise<SandboxPaymentTable | undefined> {
  return db
    .selectFrom('sandbox_payment')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
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
