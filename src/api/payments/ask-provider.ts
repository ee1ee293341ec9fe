import { Fault } from '#platform/fault.ts'
import { ProviderFailed, type Payments } from '#payments/index.ts'

/** Refuses where nobody takes payments. */
export function taking(payments: Payments | undefined): Payments {
  if (payments) return payments
  throw new Fault(
    'conflict',
    'Nobody takes payments here: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or credit by hand.',
  )
}

/** What the provider does not do is its failure, and nothing of ours has changed. */
export async function asked<Answer>(answering: Promise<Answer>): Promise<Answer> {
  try {
    return await answering
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    throw new Fault('upstream_error', 'The payment provider failed: try again.', {
      reason: 'the payment provider failed',
      cause: error,
    })
  }
}
