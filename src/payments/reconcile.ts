import type { Kysely } from 'kysely'
import { formatEuros } from '#platform/money.ts'
import type { PaymentProvider, ProviderPayment } from './provider.ts'
import type { PaymentTables, TopupTable } from './tables.ts'

/** One thing that the provider and the books do not agree on. */
export interface Difference {
  readonly topupId: string | null
  readonly paymentId: string | null
  readonly sentence: string
}

/** Looks at every payment of the provider since then, and at every top-up that is paid in the books. */
export async function reconcile(
  db: Kysely<PaymentTables>,
  provider: PaymentProvider,
  sinceMs: number,
): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  const seen = new Set<string>()
  for await (const payment of provider.listPayments(sinceMs)) {
    const topup = await findTopup(db, payment)
    if (topup) seen.add(topup.id)
    differences.push(...compare(payment, topup))
  }
  const paid = await db
    .selectFrom('topup')
    .selectAll()
    .where('provider', '=', provider.name)
    .where('state', '=', 'paid')
    .where('paid_at', '>=', sinceMs)
    .execute()
  for (const { id, payment_id: paymentId } of paid.filter((topup) => !seen.has(topup.id))) {
    const sentence = `top-up ${id} is paid in the books, and the provider has no payment for it`
    differences.push({ topupId: id, paymentId, sentence })
  }
  return differences
}

function findTopup(
  db: Kysely<PaymentTables>,
  { topupId, paymentId }: ProviderPayment,
): Promise<TopupTable | undefined> {
  return db
    .selectFrom('topup')
    .selectAll()
    .where((expression) =>
      expression.or([
        expression('payment_id', '=', paymentId),
        ...(topupId === undefined ? [] : [expression('id', '=', topupId)]),
      ]),
    )
    .executeTakeFirst()
}

function compare(payment: ProviderPayment, topup: TopupTable | undefined): Difference[] {
  const { paymentId, currency } = payment
  const amount = `${formatEuros(payment.amount)} ${currency}`
  const say = (sentence: string): Difference => ({
    topupId: topup?.id ?? null,
    paymentId,
    sentence,
  })
  if (!topup) return [say(`payment ${paymentId} of ${amount} belongs to no top-up`)]
  if (payment.amount !== topup.amount_nano || currency !== 'eur') {
    const asked = `${formatEuros(topup.amount_nano)} eur`
    return [say(`payment ${paymentId} is of ${amount}, its top-up ${topup.id} of ${asked}`)]
  }
  const found: Difference[] = []
  if (topup.state !== 'paid') {
    found.push(
      say(`payment ${paymentId} succeeded, its top-up ${topup.id} is ${topup.state} in the books`),
    )
  }
  if (payment.refunded !== topup.refunded_nano) {
    const [there, here] = [formatEuros(payment.refunded), formatEuros(topup.refunded_nano)]
    found.push(
      say(
        `of payment ${paymentId} ${there} € were refunded, in the books of ${topup.id} ${here} €`,
      ),
    )
  }
  return found
}
