import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import type { SandboxAct } from './sandbox-act.ts'
import { describeRefund, describeStep, leftToRefund, listActs, type Step } from './sandbox-acts.ts'
import type { PaymentTables, SandboxPaymentTable } from './tables.ts'

/** What the sandbox writes down: what became of a payment, and what is to be told of it, or neither. */
export interface SandboxBooks {
  /** False where nothing like it can happen to that payment, or it is not as it was `seen` any more. */
  record(sessionId: string, act: SandboxAct, seen: string | undefined): Promise<boolean>
  recordRefund(refund: SandboxRefund): Promise<SandboxRefunding>
}

export interface SandboxRefund {
  readonly paymentId: string
  readonly cents: number
  readonly reference: string
}

/** In which checkout it is told; or why it cannot be given back. */
export type SandboxRefunding = { readonly sessionId: string } | { readonly problem: string }

export function createSandboxBooks(db: Kysely<PaymentTables>, clock: Clock): SandboxBooks {
  return {
    record: (sessionId, act, seen) =>
      db.transaction().execute(async (tx) => {
        const payment = await lockPayment(tx, 'session_id', sessionId)
        if (!payment || !listActs(payment).includes(act)) return false
        if (seen !== undefined && seen !== describeStanding(payment)) return false
        const step = describeStep(payment, act)
        if (step) await write(tx, payment, { id: createId('evt'), act, step }, clock.nowMs())
        return true
      }),
    recordRefund: ({ paymentId, cents, reference }) =>
      db.transaction().execute(async (tx) => {
        const payment = await lockPayment(tx, 'payment_id', paymentId)
        if (!payment) return { problem: 'there is no such payment' }
        const { session_id: sessionId } = payment
        // Once for each reference, as Stripe's idempotency key has it.
        const id = `evt_${createHash('sha256').update(reference).digest('hex')}`
        const earlier = await findEvent(tx, id)
        if (earlier) {
          const isSame = earlier.session_id === sessionId
          return isSame ? { sessionId } : { problem: 'the reference is of another payment' }
        }
        if (cents > leftToRefund(payment)) return { problem: 'so much is not left of the payment' }
        const step = describeRefund(payment, cents)
        await write(tx, payment, { id, act: 'refund', step }, clock.nowMs())
        return { sessionId }
      }),
  }
}

/** Changes with all that can become of a payment. */
export function describeStanding(payment: SandboxPaymentTable): string {
  return [payment.state, payment.refunded_cents, payment.dispute ?? 'undisputed'].join('-')
}

/** Of two acts at once the second one waits, and finds the payment as the first one left it. */
function lockPayment(
  tx: Transaction<PaymentTables>,
  column: 'session_id' | 'payment_id',
  id: string,
): Promise<SandboxPaymentTable | undefined> {
  return tx
    .updateTable('sandbox_payment')
    .set((expression) => ({ session_id: expression.ref('session_id') }))
    .where(column, '=', id)
    .returningAll()
    .executeTakeFirst()
}

function findEvent(tx: Transaction<PaymentTables>, id: string) {
  return tx.selectFrom('sandbox_event').select('session_id').where('id', '=', id).executeTakeFirst()
}

async function write(
  tx: Transaction<PaymentTables>,
  { session_id: sessionId }: SandboxPaymentTable,
  { id, act, step }: { readonly id: string; readonly act: SandboxAct; readonly step: Step },
  atMs: number,
): Promise<void> {
  await tx
    .updateTable('sandbox_payment')
    .set(step.changes)
    .where('session_id', '=', sessionId)
    .execute()
  const payload = JSON.stringify({
    id,
    object: 'event',
    type: step.type,
    created: Math.floor(atMs / 1_000),
    livemode: false,
    data: { object: step.object },
  })
  const event = { id, session_id: sessionId, act, payload, created_at: atMs, told_at: null }
  await tx.insertInto('sandbox_event').values(event).execute()
}
