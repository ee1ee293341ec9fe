import type Stripe from 'stripe'
import { UnverifiedEvent } from './provider.ts'

/** How old a signature may be: whoever caught an event cannot send it for ever. Stripe's own default. */
const TOLERANCE_S = 300

/** The event of a body as it came, byte for byte, if it was signed with the secret, lately. */
export async function verifyStripeEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
): Promise<Stripe.Event> {
  const { default: StripeClient } = await import('stripe')
  try {
    return StripeClient.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_S)
  } catch (error) {
    throw new UnverifiedEvent(error)
  }
}
