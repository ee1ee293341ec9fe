import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { createLedger } from '#ledger/index.ts'
import { createLog } from '#platform/log.ts'
import { bookCharge, makeCharge, openSecondLedger } from '../../test/support/open-ledger.ts'
import {
  idOf,
  monthName,
  monthsAgo,
  openOldMonths,
  type OldMonths,
} from '../../test/support/old-months.ts'
import { createSpillFile } from './spill-file.ts'

const ALL = { before: undefined, limit: 1_000 }

async function discrepanciesOf({ books }: OldMonths): Promise<readonly string[]> {
  return (await books.ledger.verify()).discrepancies
}

test('months that are older than the setting lose their receipts, and nobody loses money', async (t) => {
  const old = await openOldMonths(t)
  const { books, ids, late, close, rowsOf } = old
  const before = await Promise.all([rowsOf('balance'), rowsOf('account_day')])
  const receipts = await books.ledger.receipts('a', ALL)
  const logged = await close(3)
  assert.equal(logged.length, 2)
  for (const [place, months] of [5, 4].entries()) {
    assert.match(
      logged[place] ?? '',
      new RegExp(`^closed a month.*"${monthName(months)}".*"receipts":6,`),
    )
  }
  assert.deepEqual(await Promise.all([rowsOf('balance'), rowsOf('account_day')]), before)
  assert.deepEqual(await discrepanciesOf(old), [])
  // The last one counts for the first day that is open, though its id is of before.
  const kept = receipts.filter(({ day }) => day >= `${monthName(3)}-01`)
  assert.deepEqual(await books.ledger.receipts('a', ALL), kept)
  assert.deepEqual(kept.map(({ request_id }) => request_id).at(-1), late)
  assert.equal(kept.length, 4 * (ids.get(0)?.length ?? 0) + 1)
  const { rows } = await sql<{ parts: number }>`
    select count(*) as parts from pg_class where relname ~ ${`_(${[5, 4].map(monthName).join('|').replaceAll('-', '_')})$`}
      and relkind = 'r'`.execute(books.store.db)
  assert.deepEqual(rows, [{ parts: 0 }])
})

test('one transfer an account and month takes the place of those of its charges', async (t) => {
  const { close, rowsOf } = await openOldMonths(t)
  await close(4)
  const label = monthName(5)
  const closing = (await rowsOf('transfer')).filter((row) => row.includes('closed:'))
  // "poor" paid 350 for three requests of this month and one of the next, the rest was written off.
  assert.deepEqual(
    closing.map((row) => row.replace(/,\d+\)$/, '')),
    [
      `(closed:${label}:charge:a,a,book:revenue,300,charge`,
      `(closed:${label}:charge:poor,poor,book:revenue,300,charge`,
    ],
  )
  await close(3)
  const later = (await rowsOf('transfer')).filter((row) => row.includes(`closed:${monthName(4)}`))
  assert.deepEqual(
    later.map((row) => row.replace(/,\d+\)$/, '')),
    [
      `(closed:${monthName(4)}:charge:a,a,book:revenue,300,charge`,
      `(closed:${monthName(4)}:charge:poor,poor,book:revenue,50,charge`,
      `(closed:${monthName(4)}:write_off:poor,book:written_off,book:revenue,250,write_off`,
    ],
  )
})

test('closing again closes what has become old meanwhile, late charges with it, and nothing twice', async (t) => {
  const old = await openOldMonths(t)
  const { books, late, close } = old
  await close(4)
  assert.deepEqual(await close(4), [])
  assert.equal((await close(3)).length, 1)
  assert.match((await close(2))[0] ?? '', /"receipts":7,/)
  assert.deepEqual(await discrepanciesOf(old), [])
  const left = await books.ledger.receipts('a', ALL)
  assert.equal(left.length, 9)
  assert.ok(!left.some(({ request_id }) => request_id === late))
  // Of the least that can be set, this month and the one before are left.
  await close(1)
  assert.deepEqual(await close(1), [])
  assert.equal((await books.ledger.receipts('a', ALL)).length, 6)
  assert.deepEqual(await discrepanciesOf(old), [])
})

test('a start with the setting closes by itself; without it every receipt is kept', async (t) => {
  const old = await openOldMonths(t)
  const { store, clock, directory } = old.books
  const before = await old.rowsOf('receipt')
  const start = async (retentionMonths: number | undefined): Promise<void> => {
    const spillPath = join(directory, 'other.jsonl')
    const log = createLog('silent')
    const ledger = createLedger({ store, clock, log, spillPath, retentionMonths })
    t.after(() => ledger.close())
    await ledger.prepare()
  }
  await start(undefined)
  assert.deepEqual(await old.rowsOf('receipt'), before)
  await start(4)
  // Requests do not wait for it: it goes on after the start.
  while ((await old.rowsOf('receipt')).length === before.length) await delay(20)
  assert.equal((await old.rowsOf('receipt')).length, before.length - 6)
})

test('a request of a closed month is never charged again, and those beside it are', async (t) => {
  const old = await openOldMonths(t)
  const { books, ids, late, close } = old
  const { charge, fundsOf } = books
  const [deleted] = ids.get(5) ?? []
  assert.ok(deleted)
  await close(3)
  const before = await fundsOf('a')
  const fresh = idOf(Date.now())
  const [again, neverSeen, beside, known] = await Promise.allSettled([
    charge(makeCharge('a', deleted)),
    charge(makeCharge('a', idOf(monthsAgo(4)))),
    charge(makeCharge('a', fresh)),
    charge(makeCharge('a', late)),
  ])
  for (const refused of [again, neverSeen]) {
    assert.equal(refused?.status, 'rejected')
    assert.match(String(refused.reason), /the month of request req_\w+ is closed/)
  }
  assert.equal(beside?.status, 'fulfilled')
  // Its receipt is still there: it is told what it was charged.
  assert.ok(known?.status === 'fulfilled' && known.value.charged === 7)
  assert.equal((await fundsOf('a')).balance, before.balance - 100)
  assert.deepEqual(await discrepanciesOf(old), [])
})

test('a charge that was spilled in a month that is closed stays in the file, and the log says so', async (t) => {
  const old = await openOldMonths(t)
  const { books, ids, close } = old
  await close(3)
  const before = await books.fundsOf('a')
  const spillPath = join(books.directory, 'old-spill.jsonl')
  const spill = createSpillFile(spillPath)
  const [deleted] = ids.get(4) ?? []
  const charges = [makeCharge('a', deleted ?? ''), makeCharge('a', idOf(Date.now()))]
  await spill.append(charges)
  const { store, clock } = books
  const ledger = createLedger({ store, clock, log: createLog('silent'), spillPath })
  assert.deepEqual(await ledger.prepare(), { left: 1 })
  await bookCharge(ledger, makeCharge('a', idOf(Date.now())))
  ledger.close()
  assert.deepEqual(await spill.read(), charges)
  assert.equal((await books.fundsOf('a')).balance, before.balance - 200)
  assert.deepEqual(await discrepanciesOf(old), [])
})

test('charges of all months go on while months are closed, by two replicas at once', async (t) => {
  const old = await openOldMonths(t)
  const { books, close } = old
  const second = await openSecondLedger(t, books)
  const before = await books.fundsOf('a')
  const racing = Array.from({ length: 300 }, async (_, place) => {
    const replica = place % 2 === 0 ? books : second
    await delay(place)
    const id = idOf(place % 3 === 0 ? monthsAgo(3 + (place % 2)) : Date.now())
    return replica.charge(makeCharge('a', id))
  })
  const closing = Promise.all([close(2), close(2, second.store)])
  const outcomes = await Promise.allSettled(racing)
  await closing
  await close(2)
  const booked = outcomes.filter(({ status }) => status === 'fulfilled').length
  for (const [place, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue
    assert.equal(place % 3, 0)
    assert.match(String(outcome.reason), /clos/)
  }
  assert.equal((await books.fundsOf('a')).balance, before.balance - 100 * booked)
  assert.deepEqual(await discrepanciesOf(old), [])
})

const tamperings: readonly [what: string, statement: string, says: RegExp][] = [
  [
    "a closing transfer's amount",
    "update transfer set amount_nano = amount_nano - 1 where reference like 'closed:%:charge:a'",
    /balance of a/,
  ],
  [
    'a closing transfer and the balance',
    `update transfer set amount_nano = amount_nano - 1 where reference = 'closed:${monthName(5)}:charge:a';
     update balance set balance_nano = balance_nano + 1 where account_id = 'a'`,
    /days of a sum to/,
  ],
  [
    'a missing closing transfer',
    "delete from transfer where reference like 'closed:%:charge:poor'",
    /days of poor/,
  ],
  [
    'a missing closed write-off',
    "delete from transfer where reference like 'closed:%:write_off:poor'",
    /days of poor sum to .* written off/,
  ],
  [
    'a closed write-off of another',
    `update transfer set reference = 'closed:${monthName(4)}:write_off:a' where reference like 'closed:%:write_off:poor'`,
    /days of (a|poor) sum to .* written off/,
  ],
  [
    "a closed day's money",
    `update account_day set charged_nano = charged_nano + 1 where account_id = 'a' and day < '${monthName(4)}'`,
    /days of a sum to/,
  ],
  [
    'a closing of a month that is open',
    `insert into transfer values ('closed:${monthName(1)}:charge:a', 'a', 'book:revenue', 5, 'charge', 1)`,
    /does not close a month that is closed/,
  ],
  [
    'a closing in the name of another',
    `insert into transfer values ('closed:${monthName(5)}:charge:idle', 'a', 'book:revenue', 5, 'charge', 1)`,
    /does not close a month that is closed/,
  ],
  ['what is closed', 'delete from closing', /does not close a month that is closed/],
  [
    'how far it is closed',
    `update closing set through_day = '${monthName(1)}-28', open_from = first_key_of('req_', date_trunc('month', now())::date)`,
    /is of a month that is closed/,
  ],
  [
    'a receipt put back',
    `insert into receipt select '${idOf(monthsAgo(5))}', account_id, key_id, brand, model, 1, 1, usage_source, 0, 0,
       finish_reason, ended, '${monthName(5)}-10', 1, 1, 1, 1 from receipt where account_id = 'a' limit 1`,
    /is of a month that is closed/,
  ],
]

test('what is falsified of closed months is found', async (t) => {
  const old = await openOldMonths(t)
  await old.close(3)
  const tables = ['balance', 'transfer', 'receipt', 'account_day', 'closing']
  await old.books.tamper(
    ...tables.map((table) => `create table kept_${table} as select * from ${table}`),
  )
  for (const [what, statement, says] of tamperings) {
    await t.test(what, async () => {
      await old.books.tamper(
        ...tables.flatMap((table) => [
          `delete from ${table}`,
          `insert into ${table} select * from kept_${table}`,
        ]),
        statement,
      )
      const discrepancies = await discrepanciesOf(old)
      assert.ok(
        discrepancies.some((sentence) => says.test(sentence)),
        discrepancies.join('\n'),
      )
    })
  }
})
