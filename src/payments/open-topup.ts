import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import { nano, NANO_PER_EURO } from '#platform/money.ts'
import type { PaymentProvider } from './provider.ts'
import type { PaymentTables, TopupTable } from './tables.ts'

/** What can be paid in, in whole euros: nothing else. */
export const TOPUP_EUROS = [10, 20, 50, 100] as const
export type TopupEuros = (typeof TOPUP_EUROS)[number]

export interface NewTopup {
  readonly accountId: string
  readonly euros: TopupEuros
  readonly email: string
  readonly returnUrl: string
}

export interface OpenedTopup {
  readonly topup: TopupTable
  /** Where the buyer pays. */
  readonly url: string
}

export type OwnOpening = OpenedTopup | { readonly retryAfterS: number }

/** Where a top-up begins. */
export interface Opening {
  /** Opens a checkout. Nothing is credited until the provider says that it was paid. */
  open(input: NewTopup): Promise<OpenedTopup>
  /** The same for whoever owns the account, so often an hour and no more: each leaves a row behind. */
  openOwn(input: NewTopup): Promise<OwnOpening>
}

export function createOpening(
  db: Kysely<PaymentTables>,
  provider: PaymentProvider,
  clock: Clock,
): Opening {
  async function openCheckout(topup: TopupTable, input: NewTopup): Promise<OpenedTopup> {
    const { sessionId, url } = await provider.openCheckout({
      topupId: topup.id,
      amount: topup.amount_nano,
      email: input.email,
      returnUrl: `${input.returnUrl}?topup=${topup.id}`,
    })
    const opened = { session_id: sessionId }
    await db.updateTable('topup').set(opened).where('id', '=', topup.id).execute()
    return { topup: { ...topup, ...opened }, url }
  }
  const insert = (on: Kysely<PaymentTables>, input: NewTopup) =>
    insertTopup(on, input, provider, clock.nowMs())

  return {
    open: async (input) => openCheckout(await insert(db, input), input),
    async openOwn(input) {
      const topup = await db.transaction().execute(async (tx) => {
        const retryAfterS = await findWait(tx, input.accountId, clock.nowMs())
        return retryAfterS === undefined ? insert(tx, input) : { retryAfterS }
      })
      return 'retryAfterS' in topup ? topup : openCheckout(topup, input)
    },
  }
}

function insertTopup(
  db: Kysely<PaymentTables>,
  { accountId, euros }: NewTopup,
  provider: PaymentProvider,
  atMs: number,
): Promise<TopupTable> {
  return db
    .insertInto('topup')
    .values({
      id: createId('top'),
      account_id: accountId,
      amount_nano: nano(euros * NANO_PER_EURO),
      provider: provider.name,
      is_test: provider.isTest ? 1 : 0,
      state: 'open',
      session_id: null,
      payment_id: null,
      refunded_nano: nano(0),
      dispute: null,
      suspended_account: 0,
      created_at: atMs,
      paid_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Nobody who means to pay opens more in an hour. */
const MAX_PER_HOUR = 20
const HOUR_MS = 3_600_000

/**
 * In how many seconds an account may open another checkout; undefined for now. Of those asked for at once
 * a PostgreSQL may let as many more pass as it is written to at once, which are few.
 */
async function findWait(
  db: Kysely<PaymentTables>,
  accountId: string,
  nowMs: number,
): Promise<number | undefined> {
  const oldest = await db
    .selectFrom('topup')
    .select('created_at')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .offset(MAX_PER_HOUR - 1)
    .limit(1)
    .executeTakeFirst()
  const waitMs = oldest ? oldest.created_at + HOUR_MS - nowMs : 0
  return waitMs > 0 ? Math.ceil(waitMs / 1_000) : undefined
}
