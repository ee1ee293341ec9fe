import type Stripe from 'stripe'
import { nano, type NanoEuro } from '#platform/money.ts'
import type { PaymentEvent } from './provider.ts'
import type { PaymentEventKind } from './tables.ts'

/** Amounts of the currencies that we take are in hundredths. */
const NANO_PER_CENT = 10_000_000

/** An event of Stripe in our words; undefined for one that says nothing of a top-up. */
export function readStripeEvent(event: Stripe.Event): PaymentEvent | undefined {
  const base = { id: event.id, createdAtMs: event.created * 1_000 }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- The hundreds of others are no top-up's.
  switch (event.type) {
    case 'checkout.session.completed':
      // A bank transfer is under way yet: "unpaid". What needed no payment is none of ours.
      return readSession(
        base,
        event.data.object,
        event.data.object.payment_status === 'paid' ? 'paid' : 'pending',
      )
    case 'checkout.session.async_payment_succeeded':
      return readSession(base, event.data.object, 'paid')
    case 'checkout.session.async_payment_failed':
      return readSession(base, event.data.object, 'failed')
    case 'checkout.session.expired':
      return readSession(base, event.data.object, 'expired')
    case 'charge.refunded':
      return readRefund(base, event.data.object)
    case 'charge.dispute.created':
      return isInquiry(event.data.object)
        ? undefined
        : readDispute(base, event.data.object, 'dispute_opened')
    case 'charge.dispute.funds_withdrawn':
      return readDispute(base, event.data.object, 'dispute_opened')
    case 'charge.dispute.funds_reinstated':
      return readDispute(base, event.data.object, 'dispute_won')
    case 'charge.dispute.closed':
      return readVerdict(base, event.data.object)
    default:
      return undefined
  }
}

type Base = Pick<PaymentEvent, 'id' | 'createdAtMs'>

function readSession(
  base: Base,
  session: Stripe.Checkout.Session,
  kind: PaymentEventKind,
): PaymentEvent {
  return {
    ...base,
    kind,
    topupId: session.client_reference_id ?? undefined,
    sessionId: session.id,
    paymentId: idOf(session.payment_intent),
    disputeId: undefined,
    amount: session.amount_total === null ? undefined : toNano(session.amount_total),
    currency: session.currency ?? undefined,
  }
}

function readRefund(base: Base, charge: Stripe.Charge): PaymentEvent {
  return {
    ...base,
    kind: 'refunded',
    topupId: charge.metadata['topup_id'],
    sessionId: undefined,
    paymentId: idOf(charge.payment_intent),
    disputeId: undefined,
    amount: toNano(charge.amount_refunded),
    currency: charge.currency,
  }
}

function readDispute(base: Base, dispute: Stripe.Dispute, kind: PaymentEventKind): PaymentEvent {
  return {
    ...base,
    kind,
    topupId: undefined,
    sessionId: undefined,
    paymentId: idOf(dispute.payment_intent),
    disputeId: dispute.id,
    amount: toNano(dispute.amount),
    currency: dispute.currency,
  }
}

/** A bank's question before a dispute: no money is taken. */
function isInquiry({ status }: Stripe.Dispute): boolean {
  return status.startsWith('warning_')
}

function readVerdict(base: Base, dispute: Stripe.Dispute): PaymentEvent | undefined {
  if (dispute.status === 'lost') return readDispute(base, dispute, 'dispute_lost')
  return dispute.status === 'won' ? readDispute(base, dispute, 'dispute_won') : undefined
}

function idOf(reference: string | { readonly id: string } | null): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id
}

export function toNano(cents: number): NanoEuro {
  return nano(cents * NANO_PER_CENT)
}

/** Top-ups are whole euros and refunds whole cents: anything else is a bug of ours. */
export function toCents(amount: NanoEuro): number {
  const cents = amount / NANO_PER_CENT
  if (!Number.isSafeInteger(cents)) throw new Error(`${amount} is no whole number of cents`)
  return cents
}
