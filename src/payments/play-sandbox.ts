import type Stripe from 'stripe'
import type { Clock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import { withTables, type Store } from '#platform/store/index.ts'
import type { PaymentTables, SandboxPaymentTable } from './tables.ts'

/** What can be played on the sandbox's page. */
export const SANDBOX_ACTS = [
  'pay',
  'pay_later',
  'arrive',
  'fail',
  'expire',
  'refund_half',
  'refund',
  'dispute',
  'dispute_won',
  'dispute_lost',
] as const
export type SandboxAct = (typeof SANDBOX_ACTS)[number]

export interface SandboxOptions {
  readonly store: Store
  readonly clock: Clock
  /** Signs the events, as Stripe's webhook secret does. */
  readonly webhookSecret: string
  /** Where the page of a checkout is, e.g. "/sandbox/checkout". */
  readonly pageUrl: string
  /** Sends an event to whoever takes Stripe's webhooks. */
  deliver(body: Buffer, signature: string): Promise<void>
}

/** Does what a buyer or a bank would do, and tells it as Stripe does. */
export async function play(
  options: SandboxOptions,
  payment: SandboxPaymentTable,
  act: SandboxAct,
): Promise<void> {
  const become = (state: SandboxPaymentTable['state']) =>
    withTables<PaymentTables>(options.store.db)
      .updateTable('sandbox_payment')
      .set({ state })
      .where('session_id', '=', payment.session_id)
      .execute()
  const tell = (type: Stripe.Event.Type, object: object) => send(options, type, object)
  switch (act) {
    case 'pay':
      await become('paid')
      return tell('checkout.session.completed', describeSession(payment, 'paid'))
    case 'pay_later':
      await become('pending')
      return tell('checkout.session.completed', describeSession(payment, 'unpaid'))
    case 'arrive':
      await become('paid')
      return tell('checkout.session.async_payment_succeeded', describeSession(payment, 'paid'))
    case 'fail':
      await become('failed')
      return tell('checkout.session.async_payment_failed', describeSession(payment, 'unpaid'))
    case 'expire':
      await become('expired')
      return tell('checkout.session.expired', describeSession(payment, 'unpaid'))
    case 'refund_half':
      return refundPart(options, payment, Math.floor(payment.amount_cents / 2))
    case 'refund':
      return refundPart(options, payment, payment.amount_cents - payment.refunded_cents)
    case 'dispute':
      return tell('charge.dispute.created', describeDispute(payment, 'needs_response'))
    case 'dispute_won':
      return tell('charge.dispute.closed', describeDispute(payment, 'won'))
    case 'dispute_lost':
      return tell('charge.dispute.closed', describeDispute(payment, 'lost'))
  }
}

/** Tells the sum of all refunds, as Stripe does. */
export async function refundPart(
  options: SandboxOptions,
  payment: SandboxPaymentTable,
  cents: number,
): Promise<void> {
  const refunded = Math.min(payment.refunded_cents + cents, payment.amount_cents)
  await withTables<PaymentTables>(options.store.db)
    .updateTable('sandbox_payment')
    .set({ refunded_cents: refunded })
    .where('session_id', '=', payment.session_id)
    .execute()
  await send(options, 'charge.refunded', {
    id: `ch_test_${payment.topup_id}`,
    object: 'charge',
    amount: payment.amount_cents,
    amount_refunded: refunded,
    currency: 'eur',
    payment_intent: payment.payment_id,
    metadata: { topup_id: payment.topup_id },
  })
}

async function send(
  { clock, webhookSecret, deliver }: SandboxOptions,
  type: Stripe.Event.Type,
  object: object,
): Promise<void> {
  const { default: StripeClient } = await import('stripe')
  const payload = JSON.stringify({
    id: createId('evt'),
    object: 'event',
    type,
    created: Math.floor(clock.nowMs() / 1_000),
    livemode: false,
    data: { object },
  })
  const signature = StripeClient.webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
  })
  await deliver(Buffer.from(payload), signature)
}

function describeSession(payment: SandboxPaymentTable, paymentStatus: 'paid' | 'unpaid') {
  return {
    id: payment.session_id,
    object: 'checkout.session',
    client_reference_id: payment.topup_id,
    payment_intent: payment.payment_id,
    payment_status: paymentStatus,
    amount_total: payment.amount_cents,
    currency: 'eur',
  }
}

function describeDispute(payment: SandboxPaymentTable, status: Stripe.Dispute.Status) {
  return {
    id: `dp_test_${payment.topup_id}`,
    object: 'dispute',
    payment_intent: payment.payment_id,
    amount: payment.amount_cents,
    currency: 'eur',
    status,
  }
}
