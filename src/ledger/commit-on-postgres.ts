import type { PostgresStore } from '#platform/store/index.ts'
import type { Charge, Charged } from './charge.ts'
import type { ChargeBatch } from './charge-batch.ts'

/**
 * Commits a batch by the function of sql/commit-charges.sql: one round trip, one commit. `alongside`
 * is an SQL expression that is evaluated after it in the same transaction; it may refer to `charges`,
 * the list of them as JSON, and answers an object with an entry by request id.
 */
export function createCommitOnPostgres(
  store: PostgresStore,
  alongside = 'null::json',
): (batch: ChargeBatch) => Promise<Charged[]> {
  const statement = {
    name: 'commit_charges',
    // The second step reads the first one's outcome, so that it comes after it.
    text: `
      with asked as (select $1::json as charges),
      committed as materialized (
        select charges, commit_charges(charges, $2::bigint, $3::text) as outcome from asked
      )
      select outcome, case when outcome is not null then ${alongside} end as alongside from committed`,
  }
  return async ({ charges, atMs, day }) => {
    const [row] = await store.call<CommittedRow>(statement, [JSON.stringify(charges), atMs, day])
    if (!row) throw new Error('commit_charges answered nothing')
    const { outcome, alongside: entries } = row
    return outcome.map((charged, place) => ({
      ...charged,
      alongside: entries?.[(charges[place] as Charge).requestId],
    }))
  }
}

interface CommittedRow {
  readonly outcome: readonly Omit<Charged, 'alongside'>[]
  readonly alongside: Readonly<Record<string, unknown>> | null
}
