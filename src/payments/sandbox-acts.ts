import type Stripe from 'stripe'
import type { SandboxAct } from './sandbox-act.ts'
import type { SandboxPaymentTable } from './tables.ts'

/** What can become of a payment next, and of Stripe's could too. */
export function listActs(payment: SandboxPaymentTable): readonly SandboxAct[] {
  switch (payment.state) {
    case 'open':
      return ['pay', 'pay_later', 'decline', 'expire']
    case 'pending':
      return ['arrive', 'fail']
    case 'paid':
      return listBankActs(payment)
    case 'failed':
    case 'expired':
      return []
  }
}

/** A payment is disputed once; what a bank has taken, or may yet, is not given back besides. */
function listBankActs(payment: SandboxPaymentTable): readonly SandboxAct[] {
  if (payment.dispute === 'open') return ['dispute_won', 'dispute_lost']
  const left = leftToRefund(payment)
  if (left === 0) return []
  return [
    ...(left >= halfOf(payment) ? (['refund_half'] as const) : []),
    'refund',
    ...(payment.dispute === null ? (['dispute'] as const) : []),
  ]
}

/** What can be given back yet, in cents. */
export function leftToRefund(payment: SandboxPaymentTable): number {
  const { state, dispute, amount_cents: amount, refunded_cents: refunded } = payment
  const isHeld = state !== 'paid' || dispute === 'open' || dispute === 'lost'
  return isHeld ? 0 : amount - refunded
}

function halfOf({ amount_cents: amount }: SandboxPaymentTable): number {
  return Math.floor(amount / 2)
}

/** What an act makes of a payment, and what is told of it; nothing is told of a card that is declined. */
export interface Step {
  readonly changes: Partial<SandboxPaymentTable>
  readonly type: Stripe.Event.Type
  readonly object: object
}

export function describeStep(payment: SandboxPaymentTable, act: SandboxAct): Step | undefined {
  switch (act) {
    case 'pay':
      return describePayment(payment, 'paid', 'checkout.session.completed')
    case 'pay_later':
      return describePayment(payment, 'pending', 'checkout.session.completed')
    case 'decline':
      return undefined
    case 'arrive':
      return describePayment(payment, 'paid', 'checkout.session.async_payment_succeeded')
    case 'fail':
      return describePayment(payment, 'failed', 'checkout.session.async_payment_failed')
    case 'expire':
      return describePayment(payment, 'expired', 'checkout.session.expired')
    case 'refund_half':
      return describeRefund(payment, halfOf(payment))
    case 'refund':
      return describeRefund(payment, leftToRefund(payment))
    case 'dispute':
      return describeDispute(
        { ...payment, disputed_cents: leftToRefund(payment) },
        'open',
        'charge.dispute.created',
      )
    case 'dispute_won':
      return describeDispute(payment, 'won', 'charge.dispute.closed')
    case 'dispute_lost':
      return describeDispute(payment, 'lost', 'charge.dispute.closed')
  }
}

function describePayment(
  payment: SandboxPaymentTable,
  state: SandboxPaymentTable['state'],
  type: Stripe.Event.Type,
): Step {
  const object = {
    id: payment.session_id,
    object: 'checkout.session',
    client_reference_id: payment.topup_id,
    payment_intent: payment.payment_id,
    payment_status: state === 'paid' ? 'paid' : 'unpaid',
    amount_total: payment.amount_cents,
    currency: 'eur',
  }
  return { changes: { state }, type, object }
}

/** Tells the sum of all refunds, as Stripe does. */
export function describeRefund(payment: SandboxPaymentTable, cents: number): Step {
  const refunded = payment.refunded_cents + cents
  const object = {
    id: `ch_test_${payment.topup_id}`,
    object: 'charge',
    amount: payment.amount_cents,
    amount_refunded: refunded,
    currency: 'eur',
    payment_intent: payment.payment_id,
    metadata: { topup_id: payment.topup_id },
  }
  return { changes: { refunded_cents: refunded }, type: 'charge.refunded', object }
}

const DISPUTE_STATUS = { open: 'needs_response', won: 'won', lost: 'lost' } as const

function describeDispute(
  payment: SandboxPaymentTable,
  dispute: 'open' | 'won' | 'lost',
  type: Stripe.Event.Type,
): Step {
  const { disputed_cents: cents } = payment
  const object = {
    id: `dp_test_${payment.topup_id}`,
    object: 'dispute',
    payment_intent: payment.payment_id,
    amount: cents,
    currency: 'eur',
    status: DISPUTE_STATUS[dispute],
  }
  return { changes: { dispute, disputed_cents: cents }, type, object }
}
