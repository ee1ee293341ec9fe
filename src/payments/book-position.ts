import type { Transaction } from 'kysely'
import { formatEuros, subtractNano, type NanoEuro } from '#platform/money.ts'
import { recordAudit, type Within } from '#accounts/index.ts'
import type { Ledger, ReversalKind } from '#ledger/index.ts'
import type { Documents } from './documents.ts'
import { findPosition, type DisputePosition, type Position } from './position.ts'
import type { PaymentTables, TopupTable } from './tables.ts'
import { depositReference, refundReference } from './topup-reference.ts'

export interface BookingTools {
  readonly within: Within
  readonly ledger: Ledger
  readonly documents: Documents
}

/** Who the audit says it was. */
const ACTOR = 'payments'

/**
 * Brings the books of a top-up to where its events say they are: what is booked already is not booked
 * again, for each step has a reference of its own. Runs within the transaction that keeps the event.
 */
export async function bookPosition(
  tx: Transaction<PaymentTables>,
  tools: BookingTools,
  topupId: string,
  atMs: number,
): Promise<TopupTable> {
  const topup = await lockTopup(tx, topupId)
  const position = findPosition(topup.amount_nano, await selectEvents(tx, topup))
  const step: Step = { tx, tools, topup, atMs }
  if (position.state === 'paid' && topup.state !== 'paid') await bookDeposit(step)
  let isTakenBack = await bookRefund(step, position.refunded)
  for (const dispute of position.disputes) {
    isTakenBack = (await bookDispute(step, dispute)) || isTakenBack
  }
  const booked = await tx
    .updateTable('topup')
    .set({
      state: position.state,
      refunded_nano: position.refunded,
      dispute: describeDispute(position),
      paid_at: position.paidAtMs ?? null,
    })
    .where('id', '=', topup.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isTakenBack) await suspendDebtor(step, position)
  else await liftSuspension(step)
  return booked
}

interface Step {
  readonly tx: Transaction<PaymentTables>
  readonly tools: BookingTools
  readonly topup: TopupTable
  readonly atMs: number
}

/** Of two events at once the second waits, and then sees what the first one booked. */
async function lockTopup(tx: Transaction<PaymentTables>, id: string): Promise<TopupTable> {
  return tx
    .updateTable('topup')
    .set({ id })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Some events name the payment alone. */
function selectEvents(tx: Transaction<PaymentTables>, { id, payment_id: paymentId }: TopupTable) {
  return tx
    .selectFrom('payment_event')
    .selectAll()
    .where((expression) =>
      expression.or([
        expression('topup_id', '=', id),
        ...(paymentId === null ? [] : [expression('payment_id', '=', paymentId)]),
      ]),
    )
    .execute()
}

async function bookDeposit({ tx, tools, topup, atMs }: Step): Promise<void> {
  const { id, account_id: accountId, amount_nano: amount } = topup
  const reference = depositReference(id)
  const crediting = await tools.ledger.credit(tx, {
    accountId,
    kind: 'deposit',
    amount,
    reference,
    atMs,
  })
  if (crediting.kind === 'too_much') throw new Error(`the balance cannot take the top-up ${id}`)
  const details = { topup_id: id, amount_eur: formatEuros(amount) }
  await recordAudit(tx, { actor: ACTOR, atMs }, 'topup.paid', accountId, details)
  await tools.documents.issue(tx, { kind: 'receipt', topup, amount, atMs })
}

/** True where it took anything back. */
async function bookRefund(step: Step, refunded: NanoEuro): Promise<boolean> {
  const { tx, tools, topup, atMs } = step
  const amount = subtractNano(refunded, topup.refunded_nano)
  if (amount <= 0) return false
  await reverse(step, 'refund', amount, refundReference(topup.id, refunded))
  await tools.documents.issue(tx, { kind: 'credit_note', topup, amount, atMs })
  return true
}

/** The bank takes the money when a dispute is opened, and gives it back where it is won. */
async function bookDispute(step: Step, { id, amount, state }: DisputePosition): Promise<boolean> {
  const isNew = await reverse(step, 'dispute', amount, `dispute:${id}`)
  if (state !== 'open') await reverse(step, `dispute_${state}`, amount, `dispute_${state}:${id}`)
  return isNew && state !== 'won'
}

/** False where it had been booked before. */
async function reverse(
  { tx, tools, topup, atMs }: Step,
  kind: ReversalKind,
  amount: NanoEuro,
  reference: string,
): Promise<boolean> {
  const accountId = topup.account_id
  const isBooked = await tools.ledger.reverse(tx, { accountId, kind, amount, reference, atMs })
  if (!isBooked) return false
  const details = { topup_id: topup.id, kind, amount_eur: formatEuros(amount) }
  await recordAudit(tx, { actor: ACTOR, atMs }, 'topup.reversed', accountId, details)
  return true
}

/** Whose bank takes money back, or who has spent what was given back, calls no more for now. */
async function suspendDebtor({ tx, tools, topup, atMs }: Step, position: Position): Promise<void> {
  const { id, account_id: accountId } = topup
  const isDisputed = position.disputes.some(({ state }) => state !== 'won')
  const balance = await tools.ledger.readBalance(tx, accountId)
  if (!isDisputed && balance >= 0) return
  const deed = { actor: ACTOR, atMs }
  const isChanged = await tools.within.setSuspended(tx, accountId, true, deed)
  // One that the operator had suspended before is not ours to lift.
  if (!isChanged) return
  await tx.updateTable('topup').set({ suspended_account: 1 }).where('id', '=', id).execute()
}

/** What we suspended is free again when nothing is owed or disputed; after a lost dispute the operator decides. */
async function liftSuspension({ tx, tools, topup, atMs }: Step): Promise<void> {
  const { account_id: accountId } = topup
  const ofAccount = await tx
    .selectFrom('topup')
    .select(['dispute', 'suspended_account'])
    .where('account_id', '=', accountId)
    .where((expression) =>
      expression.or([
        expression('suspended_account', '=', 1),
        expression('dispute', 'in', ['open', 'lost']),
      ]),
    )
    .execute()
  const isDisputed = ofAccount.some(({ dispute }) => dispute === 'open' || dispute === 'lost')
  if (isDisputed || ofAccount.length === 0) return
  if ((await tools.ledger.readBalance(tx, accountId)) < 0) return
  await tools.within.setSuspended(tx, accountId, false, { actor: ACTOR, atMs })
  await tx
    .updateTable('topup')
    .set({ suspended_account: 0 })
    .where('account_id', '=', accountId)
    .execute()
}

function describeDispute({ disputes }: Position): TopupTable['dispute'] {
  const states = new Set(disputes.map(({ state }) => state))
  return (['open', 'lost', 'won'] as const).find((state) => states.has(state)) ?? null
}
