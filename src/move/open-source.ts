import { join } from 'node:path'
import { createLedger } from '#ledger/index.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import {
  hasSqliteStore,
  migrate,
  openSqliteStore,
  StoreInUse,
  StoreMoved,
  type SqliteStore,
} from '#platform/store/index.ts'
import { MIGRATIONS } from '#tables.ts'
import { MoveRefused } from './move-refused.ts'
import type { Step } from './progress.ts'

/** Opens the embedded store and keeps every other process from it. Makes none where there is none. */
export async function openSource(dataDir: string): Promise<SqliteStore> {
  if (!hasSqliteStore(dataDir)) {
    throw new MoveRefused(
      `There is no embedded store in ${dataDir}. Give --from the data directory of the service.`,
    )
  }
  try {
    return await openSqliteStore(dataDir)
  } catch (cause) {
    if (cause instanceof StoreMoved) throw new MoveRefused(cause.message, { cause })
    if (!(cause instanceof StoreInUse)) throw explainUnreadable(dataDir, cause)
    throw new MoveRefused(
      `A service is running on the data in ${dataDir}. Stop it, then run this again.`,
      { cause },
    )
  }
}

export interface SourceOptions {
  readonly store: SqliteStore
  readonly dataDir: string
  readonly clock: Clock
  readonly onStep: (step: Step) => void
}

/** Makes the store what is to be moved: up to date, with nothing left to book, and with right books. */
export async function prepareSource(options: SourceOptions): Promise<void> {
  const { store, dataDir, clock, onStep } = options
  const complaints: string[] = []
  const ledger = createLedger({
    store,
    clock,
    log: createComplaintLog(complaints),
    spillPath: join(dataDir, 'spill.jsonl'),
  })
  try {
    onStep('prepare')
    await migrate(store, MIGRATIONS)
    const { left } = await ledger.prepare()
    if (left > 0) throw refuseSpilled(dataDir, complaints)
    onStep('verify_source')
    const { ok, discrepancies } = await ledger.verify()
    if (!ok) throw refuseBooks(dataDir, discrepancies)
  } catch (error) {
    throw explainUnreadable(dataDir, error)
  } finally {
    ledger.close()
  }
}

const MAX_LINES = 10

function refuseSpilled(dataDir: string, complaints: readonly string[]): MoveRefused {
  return new MoveRefused(
    `What ${join(dataDir, 'spill.jsonl')} holds cannot all be booked:\n${list(complaints)}\n` +
      'Correct these lines or take them out of the file, then run this again.',
  )
}

function refuseBooks(dataDir: string, discrepancies: readonly string[]): MoveRefused {
  return new MoveRefused(
    `The books in ${dataDir} do not add up:\n${list(discrepancies)}\n` +
      'Nothing was moved. Keep a copy of the store, and set it right first.',
  )
}

function list(lines: readonly string[]): string {
  const more = lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more`] : []
  return [...lines.slice(0, MAX_LINES).map((line) => `  ${line}`), ...more].join('\n')
}

/** A failure of the database's own has its code, wherever in the chain of causes it is. */
function explainUnreadable(dataDir: string, error: unknown): unknown {
  if (error instanceof MoveRefused || !(error instanceof Error)) return error
  const cause = error.cause instanceof Error ? error.cause : error
  const isOfDatabase = 'code' in cause && cause.code !== undefined
  if (!isOfDatabase && error.cause === undefined) return error
  return new MoveRefused(`The store in ${dataDir} cannot be used: ${cause.message}.`, {
    cause: error,
  })
}

/** What book-spilled.ts of the ledger says of a line. */
interface Complaint {
  readonly line?: number
  readonly request_id?: string
  readonly error?: { readonly message?: string }
}

/** The command has no log: what the ledger has to complain of is told in the refusal. */
function createComplaintLog(complaints: string[]): Log {
  const ignore = (): void => {}
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error(fields, sentence) {
      const { line, request_id: requestId, error } = fields as Complaint
      const about = line === undefined ? [requestId, error?.message] : [`line ${line}`]
      complaints.push(`${sentence} (${about.join(': ')})`)
    },
  }
}
