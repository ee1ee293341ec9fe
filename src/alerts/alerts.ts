import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/index.ts'
import { withTables, type Store } from '#platform/store/index.ts'
import type { Accounts, Actor } from '#accounts/index.ts'
import type { Ledger } from '#ledger/index.ts'
import { claim, dropTold, unclaim } from './claim.ts'
import { findCrossings, type Crossing, type Looked } from './find-crossings.ts'
import type { NotedAccounts } from './noted-accounts.ts'
import { DEFAULTS, selectSettings, writeSettings, type AlertSettings } from './settings.ts'
import { selectTold } from './select-told.ts'
import type { AlertSentTable, AlertTables } from './tables.ts'
import { writeAlert } from './write-alert.ts'

/** Tells people by mail that their money runs out. */
export interface Alerts {
  settings(accountId: string): Promise<AlertSettings>
  /** What was told of an account, in pages: `after` is where the one before ended. */
  told(
    accountId: string,
    after: AlertSentTable | undefined,
    limit: number,
  ): Promise<AlertSentTable[]>
  /** The account must exist. */
  choose(accountId: string, settings: AlertSettings, actor: Actor): Promise<void>
  /** Looks at the accounts that were noted, and tells whom there is something to tell. */
  look(): Promise<void>
  /** From here on it looks every few seconds. */
  begin(): void
  /** Ends with a last look; mails are then with the mailer. */
  close(): Promise<void>
  /** Resolves when all that the mailer gave up can be claimed again: after the mailer has ended. */
  idle(): Promise<void>
}

export interface AlertsOptions {
  readonly store: Store
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly mailer: Mailer
  readonly clock: Clock
  readonly log: Log
  /** The accounts whose money has moved: the ledger's listener adds to them. */
  readonly noted: NotedAccounts
  readonly issuer: string
  readonly everyMs?: number
}

const EVERY_MS = 5_000
const LAST_LOOK_MS = 2_000
/** In one query: a few kilobytes of ids. */
const CHUNK = 500

export function createAlerts(options: AlertsOptions): Alerts {
  const { store, clock, log, noted, everyMs = EVERY_MS } = options
  const db = withTables<AlertTables>(store.db)
  const reads = withTables<AlertTables>(store.reads)
  const sender = createSender(options)
  let looking: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const canTell = createCanTell(options)

  async function lookNow(): Promise<void> {
    const dropped = noted.takeDropped()
    if (dropped > 0) log.warn({ charges: dropped }, 'too many accounts at once to look at them all')
    if (!canTell()) return
    const ids = noted.take()
    for (let start = 0; start < ids.length; start += CHUNK) {
      const chunk = ids.slice(start, start + CHUNK)
      try {
        await lookAt(options, sender, chunk)
      } catch (error) {
        noted.add(chunk)
        log.warn({ error: describeError(error) }, 'looking for alerts failed; it is done again')
      }
    }
  }

  function look(): Promise<void> {
    looking = looking.then(lookNow)
    return looking
  }

  return {
    async settings(accountId) {
      return (await selectSettings(reads, [accountId])).get(accountId) ?? DEFAULTS
    },
    told: (accountId, after, limit) => selectTold(reads, accountId, after, limit),
    choose: (accountId, settings, actor) =>
      db
        .transaction()
        .execute((tx) => writeSettings(tx, accountId, settings, { actor, atMs: clock.nowMs() })),
    look,
    begin() {
      timer ??= setInterval(() => {
        if (noted.size > 0) void look()
      }, everyMs).unref()
    },
    async close() {
      clearInterval(timer)
      // A store that hangs keeps nobody from stopping: its accounts are looked at with their next charge.
      await Promise.race([look(), delay(LAST_LOOK_MS, undefined, { ref: false })])
    },
    idle: () => sender.idle(),
  }
}

/** What is noted stays so while there is no mail to be had; the log hears of it once each time. */
function createCanTell({ mailer, noted, log }: AlertsOptions): () => boolean {
  let isLogged = false
  return () => {
    if (mailer.available) isLogged = false
    else if (noted.size > 0 && !isLogged) {
      isLogged = true
      log.warn({ accounts: noted.size }, 'alerts wait: no mail can be sent now')
    }
    return mailer.available
  }
}

/** Three queries by ids, whatever their number; a fourth and a write where something was crossed. */
async function lookAt(
  { store, accounts, ledger, clock }: AlertsOptions,
  sender: Sender,
  ids: readonly string[],
): Promise<void> {
  const db = withTables<AlertTables>(store.db)
  const reads = withTables<AlertTables>(store.reads)
  const nowMs = clock.nowMs()
  const [courses, chosen] = await Promise.all([ledger.courses(ids), selectSettings(reads, ids)])
  // Last, so that who has just been removed is not written to.
  const reachable = await accounts.reachable(ids)
  const looked = new Map<string, Looked>()
  for (const { id: accountId, ceiling } of reachable.values()) {
    const course = courses.get(accountId)
    const settings = chosen.get(accountId) ?? DEFAULTS
    if (course) looked.set(accountId, { accountId, course, ceiling, settings })
  }
  const crossings = [...looked.values()].flatMap((one) => findCrossings(one, nowMs))
  const claimed = await claim(db, await dropTold(reads, crossings), nowMs)
  for (const of of Map.groupBy(claimed, ({ accountId, kind }) => `${accountId} ${kind}`).values()) {
    const [{ accountId }] = of as [Crossing]
    const one = looked.get(accountId)
    const emails = reachable.get(accountId)?.emails ?? []
    if (one && emails.length > 0) await sender.send(emails, one, of)
  }
}

interface Sender {
  send(emails: readonly string[], looked: Looked, crossings: readonly Crossing[]): Promise<void>
  idle(): Promise<void>
}

/** What the mailer does not take, or gives up although it might go later, is there to be claimed again. */
function createSender({ store, mailer, log, noted, issuer }: AlertsOptions): Sender {
  const db = withTables<AlertTables>(store.db)
  const givingBack = new Set<Promise<void>>()

  async function giveBack(crossings: readonly Crossing[]): Promise<void> {
    try {
      await unclaim(db, crossings)
      noted.add(crossings.map(({ accountId }) => accountId))
    } catch (error) {
      const [first] = crossings
      const fields = { account_id: first?.accountId, kind: first?.kind }
      log.error(
        { ...fields, error: describeError(error) },
        'an alert was not told, and will not be',
      )
    }
  }

  return {
    async send(emails, looked, crossings) {
      if (!mailer.available) return giveBack(crossings)
      let left = emails.length
      for (const to of emails) {
        mailer.send(writeAlert({ to, issuer, looked, crossings }), () => {
          left -= 1
          // Where it has reached one of them it was told: nobody is written to twice.
          if (left > 0) return
          const work = giveBack(crossings).finally(() => givingBack.delete(work))
          givingBack.add(work)
        })
      }
    },
    async idle() {
      await Promise.all(givingBack)
    },
  }
}
