import { setTimeout as delay } from 'node:timers/promises'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import { isStoreUnavailable } from '#platform/store/index.ts'
import type { Charge, Charged, Charging } from './charge.ts'
import type { SpillFile } from './spill-file.ts'

export interface PatientCommit {
  /** Commits a batch; where the store stays away, its charges are spilled and booked later. */
  commit(batch: readonly Charge[]): Promise<Charging[]>
  /** False from the first failure of the store until a commit succeeds again. */
  available(): boolean
  /** Leaves the file uncleared: it has what an earlier run could not book. */
  keepFile(): void
  /** Gives up trying; what was spilled stays in its file for the next start. */
  close(): void
}

export interface PatientCommitOptions {
  readonly commit: (batch: readonly Charge[]) => Promise<Charged[]>
  readonly spill: SpillFile
  readonly log: Log
  /** How long a reply may wait for the store before its charge is spilled. */
  readonly patienceMs: number
  readonly retryMs: number
}

/** Neither the store nor the spill file takes charges: each of a batch meets the same. */
export class SpillFailed extends Error {}

interface Owed {
  readonly charge: Charge
  readonly booked: PromiseWithResolvers<Charged>
}

/** The last try, which the store may still have in hand when patience has ended. */
interface Trial {
  hanging: Promise<Charged[]> | undefined
}

const GAVE_UP: unique symbol = Symbol('the store takes too long')

/**
 * A reply may end only when its charge is durable. While the store is away replies wait, but not for
 * ever: then their charges go to a file, which is as durable, and into the books as soon as the store
 * is back, at the latest at the next start. Booking is idempotent, so trying twice does no harm.
 */
export function createPatientCommit(options: PatientCommitOptions): PatientCommit {
  return new Patience(options)
}

class Patience implements PatientCommit {
  readonly #options: PatientCommitOptions
  readonly #stopped = new AbortController()
  #owed: Owed[] = []
  #awaySinceMs: number | undefined
  #draining = false
  #keepsFile = false
  #isUntidy = false
  #fileWork: Promise<void> = Promise.resolve()

  constructor(options: PatientCommitOptions) {
    this.#options = options
  }

  available(): boolean {
    return this.#awaySinceMs === undefined
  }

  keepFile(): void {
    this.#keepsFile = true
  }

  close(): void {
    this.#stopped.abort()
  }

  async commit(batch: readonly Charge[]): Promise<Charging[]> {
    const trial: Trial = { hanging: undefined }
    const results = await this.#tryUntilPatienceEnds(batch, trial)
    if (results) return results.map((charged) => ({ kind: 'booked', charged }))
    try {
      return await this.#spill(batch)
    } catch (error) {
      // What hangs in the store may be booked after all: nobody is refused before that is known.
      const late = await trial.hanging?.catch(() => undefined)
      if (late) return late.map((charged) => ({ kind: 'booked', charged }))
      throw new SpillFailed('charges can neither be booked nor spilled', { cause: error })
    }
  }

  async #tryUntilPatienceEnds(
    batch: readonly Charge[],
    trial: Trial,
  ): Promise<Charged[] | undefined> {
    for (;;) {
      const results = await this.#tryOnce(batch, trial)
      if (results) return results
      if (this.#stopped.signal.aborted || this.#awayMs() >= this.#options.patienceMs) {
        return undefined
      }
      await this.#pause()
    }
  }

  /** Undefined where the store is away. Any other failure is a bug, and thrown. */
  async #tryOnce(batch: readonly Charge[], trial?: Trial): Promise<Charged[] | undefined> {
    const triedAtMs = performance.now()
    try {
      const work = this.#options.commit(batch)
      if (trial) trial.hanging = work
      const results = await this.#withinPatience(work)
      if (results === GAVE_UP) return this.#noteAway(GAVE_UP.description, triedAtMs)
      this.#noteBack()
      return results
    } catch (error) {
      if (isStoreUnavailable(error)) return this.#noteAway(error, triedAtMs)
      // Whatever was wrong with the batch, the store has looked at it.
      this.#noteBack()
      throw error
    }
  }

  /** A store that hangs is as good as away; should it finish after all, nothing is booked twice. */
  #withinPatience(work: Promise<Charged[]>): Promise<Charged[] | typeof GAVE_UP> {
    const { promise, resolve } = Promise.withResolvers<typeof GAVE_UP>()
    const timer = setTimeout(() => resolve(GAVE_UP), this.#options.patienceMs)
    return Promise.race([work, promise]).finally(() => clearTimeout(timer))
  }

  async #spill(batch: readonly Charge[]): Promise<Charging[]> {
    const owed = batch.map((charge) => ({ charge, booked: Promise.withResolvers<Charged>() }))
    try {
      await this.#withFile(async (file) => {
        await file.append(batch)
        this.#owed.push(...owed)
      })
    } finally {
      // Where nothing could be spilled either, somebody must still see that the store is back.
      if (!this.#draining) void this.#drain()
    }
    this.#options.log.error({ charges: batch.length }, 'charges spilled: the store is away')
    return owed.map(({ booked }) => ({ kind: 'spilled', booked: booked.promise }))
  }

  /** Books what is owed as soon as the store is back; with nothing owed, sees when that is; tidies up. */
  async #drain(): Promise<void> {
    this.#draining = true
    while (this.#isUnfinished() && !this.#stopped.signal.aborted) {
      if (!(await this.#goOn())) await this.#pause()
    }
    this.#draining = false
  }

  #isUnfinished(): boolean {
    return this.#owed.length > 0 || !this.available() || this.#isUntidy
  }

  /** False where there is nothing to be done now. */
  #goOn(): Promise<boolean> {
    const [next] = this.#owed
    if (next) return this.#book(next)
    return this.available() ? this.#tidy() : this.#probe()
  }

  async #probe(): Promise<boolean> {
    try {
      return (await this.#tryOnce([])) !== undefined
    } catch (error) {
      this.#options.log.error({ error: describeError(error) }, 'the store cannot be probed')
      return true
    }
  }

  /** False where the store is still away. One by one, so that one that cannot be booked stops none. */
  async #book({ charge, booked }: Owed): Promise<boolean> {
    try {
      const results = await this.#tryOnce([charge])
      if (!results) return false
      booked.resolve(results[0] as Charged)
    } catch (error) {
      const { requestId } = charge
      this.#keepsFile = true
      this.#options.log.error(
        { request_id: requestId, error: describeError(error) },
        'a spilled charge cannot be booked: it stays in the spill file',
      )
    }
    this.#owed.shift()
    await this.#tidy()
    return true
  }

  /** A file that cannot be cleared does no harm, for what is in it is booked only once; it is tried again. */
  async #tidy(): Promise<boolean> {
    try {
      await this.#withFile(async (file) => {
        if (this.#owed.length === 0 && !this.#keepsFile) await file.clear()
      })
      this.#isUntidy = false
    } catch (error) {
      if (!this.#isUntidy) {
        const told = { error: describeError(error) }
        this.#options.log.error(told, 'the spill file cannot be cleared: it is tried again')
      }
      this.#isUntidy = true
    }
    return !this.#isUntidy
  }

  /** One at a time: a file must not be cleared of what was just added to it. */
  #withFile(work: (file: SpillFile) => Promise<void>): Promise<void> {
    const done = this.#fileWork.then(() => work(this.#options.spill))
    this.#fileWork = done.catch(() => {})
    return done
  }

  /** Away since the first try that failed began: one that hangs has used the patience up already. */
  #noteAway(reason: unknown, triedAtMs: number): undefined {
    if (this.#awaySinceMs !== undefined) return
    this.#awaySinceMs = triedAtMs
    this.#options.log.error({ error: describeError(reason) }, 'the store is away')
  }

  #noteBack(): void {
    if (this.#awaySinceMs === undefined) return
    const awayMs = Math.round(this.#awayMs())
    this.#awaySinceMs = undefined
    this.#options.log.warn({ away_ms: awayMs }, 'the store is back')
  }

  #awayMs(): number {
    return this.#awaySinceMs === undefined ? 0 : performance.now() - this.#awaySinceMs
  }

  async #pause(): Promise<void> {
    await delay(this.#options.retryMs, undefined, { signal: this.#stopped.signal }).catch(() => {})
  }
}
