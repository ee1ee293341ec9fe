import type Stripe from 'stripe'
import { readStripeEvent, toCents, toNano } from './read-stripe-event.ts'
import type { PaymentProvider, ProviderPayment } from './provider.ts'
import { verifyStripeEvent } from './verify-stripe-event.ts'

export interface StripeOptions {
  readonly secretKey: string
  readonly webhookSecret: string
  /** Another place than Stripe's own, for tests. */
  readonly apiUrl?: string
}

/** Of the API that our reading of events was written for: an account's own default may be another. */
const API_VERSION = '2026-10-28.endive'
const TIMEOUT_MS = 20_000
const PAGE = 100

/** Stripe Checkout, on its own page: no card number ever comes near us. */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  let connecting: Promise<Stripe> | undefined
  const connected = (): Promise<Stripe> => (connecting ??= connect(options))

  return {
    name: 'stripe',
    isTest: options.secretKey.startsWith('sk_test_') || options.secretKey.startsWith('rk_test_'),
    async openCheckout({ topupId, amount, email, returnUrl }) {
      const stripe = await connected()
      const line = {
        quantity: 1,
        price_data: {
          currency: 'eur',
          unit_amount: toCents(amount),
          product_data: { name: 'Prepaid balance' },
        },
      }
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: topupId,
          customer_email: email,
          line_items: [line],
          // Charges carry it on: an event of a refund then names its top-up.
          payment_intent_data: { metadata: { topup_id: topupId } },
          metadata: { topup_id: topupId },
          adaptive_pricing: { enabled: false },
          invoice_creation: { enabled: true },
          success_url: returnUrl,
          cancel_url: returnUrl,
        },
        { idempotencyKey: topupId },
      )
      if (session.url === null) throw new Error('Stripe opened a checkout without a page')
      return { sessionId: session.id, url: session.url }
    },
    async readEvent(body, signature) {
      const event = await verifyStripeEvent(body, signature, options.webhookSecret)
      return readStripeEvent(event)
    },
    async refund({ paymentId, amount, reference, topupId }) {
      const stripe = await connected()
      await stripe.refunds.create(
        { payment_intent: paymentId, amount: toCents(amount), metadata: { topup_id: topupId } },
        { idempotencyKey: reference },
      )
    },
    async *listPayments(sinceMs) {
      const stripe = await connected()
      const created = { gte: Math.floor(sinceMs / 1_000) }
      for await (const charge of stripe.charges.list({ created, limit: PAGE })) {
        if (charge.status === 'succeeded') yield readCharge(charge)
      }
    },
  }
}

async function connect({ secretKey, apiUrl }: StripeOptions): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe')
  const at = apiUrl === undefined ? undefined : new URL(apiUrl)
  return new StripeClient(secretKey, {
    apiVersion: API_VERSION,
    telemetry: false,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 2,
    ...(at && {
      host: at.hostname,
      port: at.port,
      protocol: at.protocol === 'http:' ? 'http' : 'https',
    }),
  })
}

function readCharge(charge: Stripe.Charge): ProviderPayment {
  const { payment_intent: intent } = charge
  return {
    paymentId: typeof intent === 'string' ? intent : (intent?.id ?? charge.id),
    topupId: charge.metadata['topup_id'],
    amount: toNano(charge.amount),
    refunded: toNano(charge.amount_refunded),
    currency: charge.currency,
    createdAtMs: charge.created * 1_000,
  }
}
