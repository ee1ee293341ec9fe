import { maxNano, minNano, ZERO, type NanoEuro } from '#platform/money.ts'
import type { PaymentEventTable, TopupState } from './tables.ts'

/** Where a top-up stands by all that was told of it. */
export interface Position {
  readonly state: TopupState
  readonly paidAtMs: number | undefined
  readonly refunded: NanoEuro
  readonly disputes: readonly DisputePosition[]
}

export interface DisputePosition {
  readonly id: string
  readonly amount: NanoEuro
  readonly state: 'open' | 'won' | 'lost'
}

type Told = Pick<
  PaymentEventTable,
  'kind' | 'dispute_id' | 'amount_nano' | 'currency' | 'created_at'
>

/**
 * Follows from the set of events alone: in whatever order they come, late or twice, it ends the same.
 * What was paid stays paid; of refunds, which are told as sums, the largest counts.
 */
export function findPosition(amount: NanoEuro, events: readonly Told[]): Position {
  const payments = events.filter(({ kind }) => kind === 'paid')
  const right = payments.filter((one) => one.amount_nano === amount && one.currency === 'eur')
  const isPaid = right.length > 0
  const refunds = events.filter(({ kind }) => kind === 'refunded')
  const refunded = refunds.reduce((most, one) => maxNano(most, one.amount_nano ?? ZERO), ZERO)
  return {
    state: isPaid ? 'paid' : findUnpaidState(events),
    paidAtMs: isPaid ? Math.min(...right.map((one) => one.created_at)) : undefined,
    refunded: isPaid ? minNano(refunded, amount) : ZERO,
    disputes: isPaid ? findDisputes(amount, events) : [],
  }
}

function findUnpaidState(events: readonly Told[]): TopupState {
  const has = (kind: Told['kind']): boolean => events.some((event) => event.kind === kind)
  if (has('paid')) return 'mismatched'
  if (has('failed')) return 'failed'
  if (has('expired')) return 'expired'
  return has('pending') ? 'pending' : 'open'
}

/** A dispute that was decided stays so, whatever is told of it afterwards. */
function findDisputes(amount: NanoEuro, events: readonly Told[]): DisputePosition[] {
  const told = events.filter((event) => event.dispute_id !== null)
  return [...Map.groupBy(told, (event) => event.dispute_id ?? '')].map(([id, of]) => {
    const kinds = new Set(of.map(({ kind }) => kind))
    const disputed = of.reduce((most, one) => maxNano(most, one.amount_nano ?? ZERO), ZERO)
    const decided = kinds.has('dispute_won') ? 'won' : 'lost'
    const isDecided = kinds.has('dispute_won') || kinds.has('dispute_lost')
    return { id, amount: minNano(disputed, amount), state: isDecided ? decided : 'open' }
  })
}
