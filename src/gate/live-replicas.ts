import { sql } from 'kysely'
import { withTables, type AnyDatabase, type AnyTransaction } from '#platform/store/index.ts'

/** How many replicas run on a PostgreSQL. One that was killed counts until its lease is over. */
export async function countLiveReplicas(db: AnyDatabase): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select count(*) as live from gate_replica where expires_at >= epoch_ms()
  `.execute(withTables<object>(db))
  return rows[0]?.live ?? 0
}

/** Until the transaction ends no replica begins, for it would wait for its lease. */
export async function keepReplicasOut(tx: AnyTransaction): Promise<void> {
  await sql`lock table gate_replica in share row exclusive mode`.execute(withTables<object>(tx))
}
