import { join } from 'node:path'
import { createAccounts, type Accounts } from '#accounts/index.ts'
import { createPostgresGate, SETTLE_ALONGSIDE, type Gate } from '#gate/index.ts'
import { createLedger, type Ledger } from '#ledger/index.ts'
import { systemClock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { PostgresStore } from '#platform/store/index.ts'

/** The rooms that a request passes and that lists ask, wired as the app does it. */
export interface Rooms {
  readonly gate: Gate
  readonly ledger: Ledger
  readonly accounts: Accounts
  close(): Promise<void>
}

export interface RoomsOptions {
  readonly store: PostgresStore
  /** For what the store cannot take: there should be none. */
  readonly directory: string
  readonly log: Log
  readonly retentionMonths?: number
}

export function createRooms({ store, directory, log, retentionMonths }: RoomsOptions): Rooms {
  const clock = systemClock
  const spillPath = join(directory, 'spill.jsonl')
  const alongside = SETTLE_ALONGSIDE
  const ledger = createLedger({ store, clock, log, spillPath, alongside, retentionMonths })
  const onChange = { account() {}, key() {} }
  const accounts = createAccounts({ store, ledger, clock, serviceName: 'svc', onChange })
  const gate = createPostgresGate({ store, log })
  return {
    gate,
    ledger,
    accounts,
    async close() {
      await ledger.idle()
      await gate.close()
      ledger.close()
    },
  }
}
