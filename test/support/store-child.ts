import { join } from 'node:path'
import { createLedger, ledgerMigrations } from '#ledger/index.ts'
import { nano } from '#platform/money.ts'
import { createLog } from '#platform/log.ts'
import { systemClock } from '#platform/clock.ts'
import { migrate, openSqliteStore } from '#platform/store/index.ts'
import { bookCharge, makeCharge } from './open-ledger.ts'

/**
 * A process of its own on the store in the directory of its first argument. With `charge` it commits
 * charges without end and prints the id of each that was acknowledged, until it is killed.
 */
const [directory = '', task] = process.argv.slice(2)

try {
  const store = await openSqliteStore(directory)
  await migrate(store, [ledgerMigrations])
  process.stdout.write('open\n')
  if (task === 'charge') {
    const spillPath = join(directory, 'spill.jsonl')
    const log = createLog('silent')
    const ledger = createLedger({ store, clock: systemClock, log, spillPath })
    const accountId = `account of ${process.pid}`
    await store.db.transaction().execute(async (tx) => {
      await ledger.openBalance(tx, accountId)
      const amount = nano(1_000_000_000)
      const reference = `credit of ${process.pid}`
      await ledger.credit(tx, { accountId, kind: 'grant', amount, reference, atMs: 1 })
    })
    const chargeOn = async (lane: number): Promise<never> => {
      for (let count = 0; ; count += 1) {
        const requestId = `req_${process.pid}_${lane}_${count}`
        await bookCharge(ledger, makeCharge(accountId, requestId))
        process.stdout.write(`${requestId}\n`)
      }
    }
    await Promise.all([0, 1, 2, 3, 4].map(chargeOn))
  }
} catch (error) {
  process.stderr.write(`${(error as Error).name} ${(error as Error).message}\n`)
  process.exit(1)
}
