import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { SandboxAct } from './sandbox-act.ts'
import type { PaymentTables } from './tables.ts'

export interface TellingOptions {
  readonly clock: Clock
  /** Signs the events, as Stripe's webhook secret does. */
  readonly webhookSecret: string
  /** Sends an event to whoever takes Stripe's webhooks. */
  deliver(body: Buffer, signature: string): Promise<void>
}

/**
 * Tells what has not been told of a checkout yet, in order, and answers the acts that it was of. What
 * fails waits for the next time; what two tell at once, its receiver books once.
 */
export async function tellSandboxEvents(
  db: Kysely<PaymentTables>,
  options: TellingOptions,
  sessionId: string,
): Promise<readonly SandboxAct[]> {
  const events = await selectWaiting(db, sessionId)
  for (const { id, payload } of events) {
    await options.deliver(Buffer.from(payload), await sign(payload, options.webhookSecret))
    await db
      .updateTable('sandbox_event')
      .set({ told_at: options.clock.nowMs() })
      .where('id', '=', id)
      .execute()
  }
  return events.map(({ act }) => act)
}

export function selectWaiting(db: Kysely<PaymentTables>, sessionId: string) {
  return db
    .selectFrom('sandbox_event')
    .select(['id', 'act', 'payload'])
    .where('session_id', '=', sessionId)
    .where('told_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

async function sign(payload: string, secret: string): Promise<string> {
  const { default: StripeClient } = await import('stripe')
  return StripeClient.webhooks.generateTestHeaderString({ payload, secret })
}
