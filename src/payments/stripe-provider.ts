import type Stripe from 'stripe'
import { readStripeEvent, toCents, toNano } from './read-stripe-event.ts'
import {
  ProviderFailed,
  type Checkout,
  type PaymentProvider,
  type ProviderPayment,
} from './provider.ts'
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
    async openCheckout(checkout) {
      const stripe = await connected()
      const session = await answered(
        stripe.checkout.sessions.create(describeCheckout(checkout), {
          idempotencyKey: checkout.topupId,
        }),
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
      const wanted = { payment_intent: paymentId, amount: toCents(amount) }
      await answered(
        stripe.refunds.create(
          { ...wanted, metadata: { topup_id: topupId } },
          { idempotencyKey: `refund ${reference}` },
        ),
      )
    },
    async *listPayments(sinceMs) {
      const stripe = await connected()
      const created = { gte: Math.floor(sinceMs / 1_000) }
      try {
        for await (const charge of stripe.charges.list({ created, limit: PAGE })) {
          if (charge.status === 'succeeded') yield readCharge(charge)
        }
      } catch (error) {
        throw new ProviderFailed(error)
      }
    },
  }
}

function describeCheckout({
  topupId,
  amount,
  email,
  returnUrl,
}: Checkout): Stripe.Checkout.SessionCreateParams {
  const price = {
    currency: 'eur',
    unit_amount: toCents(amount),
    product_data: { name: 'Prepaid balance' },
  }
  return {
    mode: 'payment',
    client_reference_id: topupId,
    customer_email: email,
    line_items: [{ quantity: 1, price_data: price }],
    // Charges carry it on: an event of a refund then names its top-up.
    payment_intent_data: { metadata: { topup_id: topupId } },
    metadata: { topup_id: topupId },
    adaptive_pricing: { enabled: false },
    invoice_creation: { enabled: true },
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

async function answered<Answer>(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    throw new ProviderFailed(error)
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
