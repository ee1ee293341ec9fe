import { systemClock, type Clock } from '#platform/clock.ts'
import { createGroupCommit, type GroupCommit } from '#platform/group-commit.ts'
import type { Log } from '#platform/log.ts'
import type { NanoEuro } from '#platform/money.ts'
import {
  isStoreUnavailable,
  withTables,
  type PostgresStore,
  type Statement,
} from '#platform/store/index.ts'
import { describeAllowance } from './account-state.ts'
import { createBatchAdmission, type Admitted } from './batch-admission.ts'
import { createCoalescedLoad, type CoalescedLoad } from './coalesced-load.ts'
import type {
  Admission,
  AdmissionRequest,
  Allowance,
  Gate,
  Hold,
  Look,
  Recognition,
  Settlement,
  Standing,
} from './gate.ts'
import { hasExpired } from './key-use.ts'
import { lookAtAccount } from './look-at-account.ts'
import { createLease, type Lease } from './lease.ts'

export interface PostgresGateOptions {
  readonly store: PostgresStore
  readonly log: Log
  /** For tests. Without it the database's clock is asked, which all replicas share. */
  readonly clock?: Clock
  readonly renewEveryMs?: number
}

/**
 * Ends holds in the commit of their charges: an SQL expression for the ledger's `alongside`, over a
 * list of charges in JSON.
 */
export const SETTLE_ALONGSIDE = `settle_holds(
  array(select c ->> 'requestId' from json_array_elements(charges) c),
  array(
    select (c ->> 'promptTokens')::bigint + (c ->> 'completionTokens')::bigint
    from json_array_elements(charges) c))`

/** What settle_holds (sql/gate.sql) says of the window of each hold's account. */
interface WindowAfter {
  readonly atMs: number
  readonly windowStartMs: number
  readonly requests: number
  readonly tokens: number
}

interface LiveHold {
  readonly hold: Hold
  readonly standing: Standing
  /** Told to the database anew, perhaps after its end was: then it must be ended once more. */
  wasTold: boolean
}

interface Seen {
  readonly recognition: Recognition
  readonly expiresAtMs: number | null
}

interface Glance extends Seen {
  readonly seenAtMs: number
}

const MAX_GLANCES = 50_000
const MAX_RELEASES = 256

const settleStatement: Statement = {
  name: 'settle_holds',
  text: 'select settle_holds($1::text[], array_fill(0::bigint, array[cardinality($1::text[])])) as windows',
}

/**
 * The gate of many replicas, which share a database: windows and holds are its rows, and each
 * admission is a step of a function that runs there (sql/gate.sql), many in one call.
 */
export function createPostgresGate(options: PostgresGateOptions): Gate {
  return new PostgresGate(options)
}

const lookStatement: Statement = {
  name: 'look_up_key',
  text: `
    select k.id as key_id, k.account_id, k.expires_at, a.suspended
    from api_key k join account a on a.id = k.account_id
    where k.hash = $1 and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > coalesce($2::bigint, epoch_ms()))`,
}

interface KeyRow {
  readonly key_id: string
  readonly account_id: string
  readonly expires_at: number | null
  readonly suspended: number
}

class PostgresGate implements Gate {
  readonly #options: PostgresGateOptions
  readonly #live = new Map<string, LiveHold>()
  readonly #glances = new Map<string, Glance>()
  readonly #looks: CoalescedLoad<Seen>
  readonly #admissions: GroupCommit<AdmissionRequest, Admitted>
  readonly #releases: GroupCommit<string, WindowAfter | undefined>
  readonly #lease: Lease
  /** Holds that are over but could not be ended in the database, or of which we cannot know. */
  readonly #unreleased = new Set<string>()

  constructor(options: PostgresGateOptions) {
    this.#options = options
    const { store, log, renewEveryMs } = options
    this.#looks = createCoalescedLoad(
      (keyHash) => this.#look(keyHash),
      (keyHash, seen) => this.#keepGlance(keyHash, seen),
    )
    this.#lease = createLease({
      store,
      log,
      takeStock: () => this.#takeStock(),
      onRenewed: () => this.#releaseLeftovers(),
      ...(renewEveryMs !== undefined && { renewEveryMs }),
    })
    this.#admissions = createBatchAdmission({
      store,
      lease: this.#lease,
      nowMs: () => this.#givenMs(),
      onUnknownOutcome: (requestIds) => this.#releaseLater(requestIds),
    })
    this.#releases = createGroupCommit((ids) => this.#endHolds(ids), {
      maxBatch: MAX_RELEASES,
      concernsAll: isStoreUnavailable,
    })
  }

  async recognise(keyHash: string, maxAgeMs: number): Promise<Recognition> {
    const glance = this.#glances.get(keyHash)
    if (glance && this.#isGood(glance, maxAgeMs)) return glance.recognition
    // Others' look-ups were perhaps begun before the change that this caller must see.
    const seen = await (maxAgeMs === 0 ? this.#look(keyHash) : this.#looks.load(keyHash))
    return seen.recognition
  }

  async admit(request: AdmissionRequest): Promise<Admission> {
    const { admission, standing } = await this.#admissions.add(request)
    if (admission.kind === 'admitted') {
      const { hold } = admission
      this.#live.set(hold.requestId, { hold, standing, wasTold: false })
    }
    const isRefusedOutright = admission.kind === 'unknown' || admission.kind === 'suspended'
    if (isRefusedOutright) this.forgetKey(request.keyHash)
    return admission
  }

  settle(hold: Hold, { funds, alongside }: Settlement): Allowance {
    const live = this.#takeLive(hold)
    return this.#describe({ ...live.standing, funds }, alongside as WindowAfter | undefined)
  }

  async release(hold: Hold): Promise<Allowance> {
    const { standing } = this.#takeLive(hold)
    try {
      return this.#describe(standing, await this.#releases.add(hold.requestId))
    } catch (error) {
      this.#releaseLater([hold.requestId])
      if (!isStoreUnavailable(error)) throw error
      return this.#describe(standing, undefined)
    }
  }

  async look(accountId: string): Promise<Look> {
    return lookAtAccount(this.#options.store, accountId, this.#givenMs())
  }

  async held(accountIds: readonly string[]): Promise<ReadonlyMap<string, NanoEuro>> {
    if (accountIds.length === 0) return new Map()
    const rows = await withTables<GateTables>(this.#options.store.reads)
      .selectFrom('gate_account')
      .select(['account_id', 'held_nano'])
      .where('account_id', 'in', accountIds)
      .execute()
    return new Map(rows.map((row) => [row.account_id, row.held_nano]))
  }

  forgetKey(keyHash: string): void {
    this.#glances.delete(keyHash)
    this.#looks.discard(keyHash)
  }

  /** Nothing is kept of an account. */
  forgetAccount(): void {}

  async close(): Promise<void> {
    await this.#releases.idle()
    await this.#lease.close()
  }

  /** A key that may have expired since is looked up: it is the database that knows the time. */
  #isGood(glance: Glance, maxAgeMs: number): boolean {
    if (performance.now() - glance.seenAtMs >= maxAgeMs) return false
    return !hasExpired(glance, (this.#options.clock ?? systemClock).nowMs())
  }

  async #look(keyHash: string): Promise<Seen> {
    const values = [keyHash, this.#givenMs()]
    const [row] = await this.#options.store.call<KeyRow>(lookStatement, values)
    if (!row) return { recognition: { kind: 'unknown' }, expiresAtMs: null }
    const { key_id: keyId, account_id: accountId, expires_at: expiresAtMs, suspended } = row
    if (suspended === 1) return { recognition: { kind: 'suspended' }, expiresAtMs }
    return { recognition: { kind: 'recognised', keyId, accountId }, expiresAtMs }
  }

  /** Only of keys that are ours: whoever tries keys must not fill the memory. */
  #keepGlance(keyHash: string, seen: Seen): void {
    if (seen.recognition.kind !== 'recognised') return
    if (this.#glances.size >= MAX_GLANCES) this.#glances.clear()
    this.#glances.set(keyHash, { ...seen, seenAtMs: performance.now() })
  }

  #takeLive(hold: Hold): LiveHold {
    const live = this.#live.get(hold.requestId)
    if (!live) throw new Error(`the hold of ${hold.requestId} was ended twice`)
    this.#live.delete(hold.requestId)
    if (live.wasTold) this.#releaseLater([hold.requestId])
    return live
  }

  #takeStock(): readonly Hold[] {
    const live = [...this.#live.values()]
    for (const one of live) one.wasTold = true
    return live.map(({ hold }) => hold)
  }

  async #endHolds(requestIds: readonly string[]): Promise<(WindowAfter | undefined)[]> {
    const [row] = await this.#options.store.call<{
      windows: Readonly<Record<string, WindowAfter>> | null
    }>(settleStatement, [requestIds])
    return requestIds.map((requestId) => row?.windows?.[requestId])
  }

  #releaseLater(requestIds: readonly string[]): void {
    for (const requestId of requestIds) this.#unreleased.add(requestId)
  }

  async #releaseLeftovers(): Promise<void> {
    // What is being told now may be among them.
    await this.#lease.told()
    const requestIds = [...this.#unreleased].slice(0, MAX_RELEASES)
    if (requestIds.length === 0) return
    await this.#endHolds(requestIds)
    for (const requestId of requestIds) this.#unreleased.delete(requestId)
    this.#options.log.warn(
      { holds: requestIds.length },
      'ended holds that could not be ended before',
    )
  }

  #describe(standing: Standing, window: WindowAfter | undefined): Allowance {
    const { clock } = this.#options
    if (window) return describeAllowance({ standing, ...window }, clock?.nowMs() ?? window.atMs)
    // The database has forgotten the window: what is left is what a new one has.
    const isOver = { windowStartMs: Number.NEGATIVE_INFINITY, requests: 0, tokens: 0 }
    return describeAllowance({ standing, ...isOver }, (clock ?? systemClock).nowMs())
  }

  #givenMs(): number | null {
    return this.#options.clock?.nowMs() ?? null
  }
}

interface GateTables {
  gate_account: { account_id: string; held_nano: NanoEuro }
}
