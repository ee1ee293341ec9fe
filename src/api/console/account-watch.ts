import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { Accounts } from '#accounts/index.ts'
import type { Ledger } from '#ledger/index.ts'

/** Tells when accounts change, whichever replica changed them. */
export interface AccountWatch {
  /**
   * Resolves once the account is watched: every change from then on is told. The answer ends it.
   */
  begin(accountId: string, onChange: OnChange): Promise<() => void>
  close(): void
}

export type OnChange = (standing: string) => void

export interface AccountWatchOptions {
  readonly accounts: Pick<Accounts, 'marks'>
  readonly ledger: Pick<Ledger, 'funds'>
  readonly log: Log
  /** How an account stands now, in words: asked for once, however many watch it. */
  readonly describe: (accountId: string) => Promise<string>
  readonly everyMs?: number
}

const EVERY_MS = 1_000
/** In one query: a few kilobytes of ids. */
const CHUNK = 500

interface Watched {
  readonly listeners: Set<OnChange>
  /** What the store said last; undefined until it has been asked for the first time. */
  mark: string | undefined
  /** The first asking, which all wait for who begin meanwhile. */
  readonly begun: Promise<void>
}

/**
 * One watch for all who look on: while there is anybody it asks the store once a second for all their
 * accounts together, so that what it costs grows neither with streams nor with requests.
 */
export function createAccountWatch(options: AccountWatchOptions): AccountWatch {
  const watched = new Map<string, Watched>()
  const lookAll = createLook(options, watched)
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function goOn(): void {
    if (isClosed || timer || watched.size === 0) return
    timer = setTimeout(() => {
      void lookAll().then(() => {
        timer = undefined
        goOn()
      })
    }, options.everyMs ?? EVERY_MS).unref()
  }

  function join(accountId: string): Watched {
    const known = watched.get(accountId)
    if (known) return known
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
    const one: Watched = { listeners: new Set(), mark: undefined, begun }
    watched.set(accountId, one)
    readMarks(options, [accountId]).then((marks) => {
      one.mark = marks.get(accountId)
      resolve()
    }, reject)
    return one
  }

  return {
    async begin(accountId, onChange) {
      const one = join(accountId)
      one.listeners.add(onChange)
      const end = (): void => {
        one.listeners.delete(onChange)
        if (one.listeners.size === 0 && watched.get(accountId) === one) watched.delete(accountId)
      }
      try {
        await one.begun
      } catch (error) {
        end()
        throw error
      }
      goOn()
      return end
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      watched.clear()
    },
  }
}

/** Never fails: what could not be looked at is looked at again in a second, and the log hears of it once. */
function createLook(options: AccountWatchOptions, watched: ReadonlyMap<string, Watched>) {
  let isSaid = false

  async function compare(accountId: string, mark: string | undefined): Promise<void> {
    const one = watched.get(accountId)
    if (one?.mark === undefined || one.mark === mark) return
    const standing = await options.describe(accountId)
    one.mark = mark
    for (const tell of one.listeners) tell(standing)
  }

  /** One account that cannot be described keeps no other from being looked at. */
  async function lookAt(ids: readonly string[]): Promise<unknown> {
    const marks = await readMarks(options, ids)
    let failure: unknown
    for (const accountId of ids) {
      await compare(accountId, marks.get(accountId)).catch((error: unknown) => {
        failure ??= error
      })
    }
    return failure
  }

  return async function lookAll(): Promise<void> {
    const ids = [...watched.keys()]
    let failure: unknown
    for (let start = 0; start < ids.length; start += CHUNK) {
      failure ??= await lookAt(ids.slice(start, start + CHUNK)).catch((error: unknown) => error)
    }
    if (failure !== undefined && !isSaid) {
      const fields = { error: describeError(failure) }
      options.log.warn(fields, 'accounts cannot be watched now; they are looked at again')
    }
    isSaid = failure !== undefined
  }
}

/** Two queries by ids, whatever their number. Each charge raises the version, so the last request is in it. */
async function readMarks(
  { accounts, ledger }: AccountWatchOptions,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const [limits, funds] = await Promise.all([accounts.marks(ids), ledger.funds(ids)])
  return new Map(ids.map((id) => [id, `${limits.get(id)} ${funds.get(id)?.version}`]))
}
