import { describeError } from '#platform/describe-error.ts'
import { createId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import type { PostgresStore, Statement } from '#platform/store/index.ts'
import type { Hold } from './gate.ts'

/**
 * What keeps a replica's holds alive in the database, however long their requests take: one row that
 * is renewed. A replica that dies stops renewing it, and the others end its holds.
 */
export interface Lease {
  readonly replicaId: string
  /** Tells the database anew what this replica holds: it has forgotten, or taken us for dead. */
  restore(): Promise<void>
  /** Resolves when no holds are being told. */
  told(): Promise<void>
  /** Ends the lease; what is still held is ended by the others. */
  close(): Promise<void>
}

export interface LeaseOptions {
  readonly store: PostgresStore
  readonly log: Log
  /** What this replica holds now, about to be told. */
  readonly takeStock: () => readonly Hold[]
  /** Called after each renewal: for what is to be tried again until it succeeds. */
  readonly onRenewed: () => Promise<void>
  readonly renewEveryMs?: number
}

/** A dead replica's holds are back within the lease and one more round: 18 s. */
const RENEW_EVERY_MS = 3_000
const LEASE_IN_ROUNDS = 5
/** Within so many rounds every live replica has renewed its lease, and told its holds in doing so. */
const ROUNDS_TO_TELL = 1.5

const renewStatement: Statement = {
  name: 'renew_lease',
  text: 'select renew_lease($1, $2) as renewed',
}
const restoreStatement: Statement = {
  name: 'restore_holds',
  text: `select restore_holds(
    $1, $2, $3, $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[])`,
}
const sweepStatement: Statement = { name: 'sweep_holds', text: 'select sweep_holds() as swept' }
const endStatement: Statement = {
  name: 'end_lease',
  text: 'update gate_replica set expires_at = 0 where id = $1',
}

export function createLease(options: LeaseOptions): Lease {
  const { store, log, takeStock, onRenewed, renewEveryMs = RENEW_EVERY_MS } = options
  const replicaId = createId('rep')
  const leaseMs = renewEveryMs * LEASE_IN_ROUNDS
  let restoring: Promise<void> | undefined
  let round: Promise<void> = Promise.resolve()

  async function tellHolds(): Promise<void> {
    const holds = takeStock()
    await store.call(restoreStatement, [
      replicaId,
      leaseMs,
      Math.ceil(renewEveryMs * ROUNDS_TO_TELL),
      holds.map(({ requestId }) => requestId),
      holds.map(({ accountId }) => accountId),
      holds.map(({ keyId }) => keyId),
      holds.map(({ cost }) => cost),
      holds.map(({ tokens }) => tokens),
    ])
  }

  function restore(): Promise<void> {
    restoring ??= tellHolds().finally(() => (restoring = undefined))
    return restoring
  }

  async function renew(): Promise<void> {
    try {
      const [row] = await store.call<{ renewed: boolean }>(renewStatement, [replicaId, leaseMs])
      if (!row?.renewed) await restore()
      const [{ swept } = { swept: 0 }] = await store.call<{ swept: number }>(sweepStatement, [])
      if (swept > 0) log.warn({ holds: swept }, 'ended the holds of a replica that has died')
      await onRenewed()
    } catch (error) {
      log.error({ error: describeError(error) }, 'the lease on this replica’s holds is not renewed')
    }
  }

  const timer = setInterval(() => {
    round = round.then(renew)
  }, renewEveryMs)
  timer.unref()

  return {
    replicaId,
    restore,
    told: async () => restoring?.catch(() => {}),
    async close() {
      clearInterval(timer)
      await round
      await store.call(endStatement, [replicaId]).catch((error: unknown) => {
        log.warn({ error: describeError(error) }, 'the lease ends by itself')
      })
    },
  }
}
