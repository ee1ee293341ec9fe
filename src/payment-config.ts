import { Type, type Static } from 'typebox'
import type { Seller, StripeOptions } from '#payments/index.ts'
import type { Environment } from './config.ts'

/** Who takes payments: Stripe, the sandbox, or nobody, and then the operator credits by hand. */
export type PaymentConfig =
  | ({ readonly kind: 'stripe' } & StripeOptions)
  | { readonly kind: 'sandbox' }
  | { readonly kind: 'off' }

export const SellerEntry = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    address: Type.String({ minLength: 1, maxLength: 500 }),
    vat_id: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    vat_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  },
  { additionalProperties: false },
)

/** As receipts name the seller; where nothing is said, by the service's name alone. */
export function readSeller(
  entry: Static<typeof SellerEntry> | undefined,
  serviceName: string,
): Seller {
  return {
    name: entry?.name ?? serviceName,
    address: entry?.address ?? '',
    vatId: entry?.vat_id,
    vatRate: entry?.vat_rate ?? 0,
  }
}

/** Stripe where its keys are set; else the sandbox, which production refuses unless it is told to use it. */
export function readPayments(env: Environment, problems: string[]): PaymentConfig {
  const secretKey = env['STRIPE_SECRET_KEY'] ?? ''
  const webhookSecret = env['STRIPE_WEBHOOK_SECRET'] ?? ''
  if (secretKey === '' && webhookSecret === '') {
    const isAllowed = env['NODE_ENV'] !== 'production' || env['PARLEY_ALLOW_SANDBOX'] === '1'
    return { kind: isAllowed ? 'sandbox' : 'off' }
  }
  // The values are not repeated: they are secrets.
  if (!/^(sk|rk)_(test|live)_\w+$/.test(secretKey)) {
    problems.push(
      'STRIPE_SECRET_KEY: must be a secret key of Stripe (sk_live_…, or sk_test_… to try)',
    )
  }
  if (!/^whsec_\S+$/.test(webhookSecret)) {
    problems.push(
      'STRIPE_WEBHOOK_SECRET: must be the signing secret of the webhook (whsec_…): without it anybody could credit money',
    )
  }
  return { kind: 'stripe', secretKey, webhookSecret }
}
