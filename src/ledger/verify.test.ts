import assert from 'node:assert/strict'
import { nano } from '#platform/money.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'

/** Books with something of every kind: deposits, grants, charges, a write-off, two days. */
async function fillBooks({ open, credit, charge, clock }: OpenLedger): Promise<void> {
  await open('a', 1_000)
  await open('b', 50)
  await open('idle')
  await credit('a', 30, { kind: 'grant', reference: 'grant:a' })
  await charge(makeCharge('a', 'req_1'))
  await charge(makeCharge('b', 'req_2'))
  clock.advance(86_400_000)
  await charge(makeCharge('a', 'req_3', { brand: 'nova', cost: nano(7) }))
  await charge(makeCharge('a', 'req_4', { cost: nano(0) }))
}

test('books that add up are found to, and are counted', async (t, engine) => {
  const books = await openLedger(t, engine)
  assert.deepEqual(await books.ledger.verify(), {
    ok: true,
    transfers: 0,
    accounts: 0,
    discrepancies: [],
  })
  await fillBooks(books)
  // 2 deposits, 1 grant, 3 charges and 1 write-off: what cost nothing moved nothing.
  assert.deepEqual(await books.ledger.verify(), {
    ok: true,
    transfers: 7,
    accounts: 3,
    discrepancies: [],
  })
})

const tamperings: readonly [what: string, statement: string, says: RegExp][] = [
  ['a balance', "update balance set balance_nano = 931 where account_id = 'a'", /^balance of a is/],
  [
    'the balance of an account without transfers',
    "update balance set balance_nano = 1 where account_id = 'idle'",
    /^balance of idle is 1, its transfers sum to 0/,
  ],
  [
    'deposits',
    "update balance set deposits_nano = 9 where account_id = 'a'",
    /^deposits of a are 9/,
  ],
  [
    'what was spent',
    "update balance set spent_nano = 0 where account_id = 'a'",
    /account a spent 0/,
  ],
  [
    'the day of it',
    "update balance set spent_day = '', spent_nano = 0 where account_id = 'a'",
    /a /,
  ],
  ['an account', "delete from balance where account_id = 'b'", /unknown account/],
  [
    "a deposit's amount",
    "update transfer set amount_nano = 999 where reference = 'credit:a'",
    /balance of a/,
  ],
  [
    "a charge's amount",
    "update transfer set amount_nano = 99 where reference = 'charge:req_1'",
    /req_1/,
  ],
  ['a missing deposit', "delete from transfer where reference = 'credit:a'", /deposits of a/],
  ['a missing grant', "delete from transfer where reference = 'grant:a'", /balance of a/],
  ['a missing charge', "delete from transfer where reference = 'charge:req_1'", /receipt req_1/],
  [
    'a missing write-off',
    "delete from transfer where reference = 'write_off:req_2'",
    /written off/,
  ],
  [
    'a grant made a deposit',
    "update transfer set kind = 'deposit' where kind = 'grant'",
    /deposits of/,
  ],
  [
    'a charge made a grant',
    "update transfer set kind = 'grant' where reference = 'charge:req_1'",
    /req_1/,
  ],
  ["another's charge", "update transfer set debit = 'b' where reference = 'charge:req_1'", /req_1/],
  [
    "a deposit's source",
    "update transfer set debit = 'book:grants' where kind = 'deposit'",
    /credit:/,
  ],
  [
    'a missing receipt',
    "delete from receipt where request_id = 'req_1'",
    /charge:req_1 has no receipt/,
  ],
  ['a receipt of nothing', "delete from receipt where request_id = 'req_4'", /day 2026-11-22 of a/],
  [
    "a receipt's charge",
    "update receipt set charged_nano = 1 where request_id = 'req_1'",
    /req_1 says 1/,
  ],
  [
    "a receipt's tokens",
    "update receipt set prompt_tokens = 1 where request_id = 'req_1'",
    /^day /,
  ],
  ["a receipt's owner", "update receipt set account_id = 'b' where request_id = 'req_1'", /req_1/],
  ["a receipt's day", "update receipt set day = '2026-11-20' where request_id = 'req_1'", /day /],
  ["a day's money", "update account_day set charged_nano = 1 where account_id = 'a'", /^day /],
  ["a day's tokens", 'update account_day set completion_tokens = completion_tokens + 1', /^day /],
  ["a day's requests", 'update account_day set requests = requests + 1', /^day /],
  ['a missing day', "delete from account_day where account_id = 'a' and brand = 'nova'", /day /],
  [
    'a day too many',
    `insert into account_day values ('idle', '2026-11-21', 'air', 'key_1', 1, 1, 1, 1, 0)`,
    /^day 2026-11-21 of idle/,
  ],
]

const tables = ['balance', 'transfer', 'receipt', 'account_day']
const keep = tables.map((table) => `create table kept_${table} as select * from ${table}`)
const restore = tables.flatMap((table) => [
  `delete from ${table}`,
  `insert into ${table} select * from kept_${table}`,
])

test('tampering of every kind is found', async (t, engine) => {
  const books = await openLedger(t, engine)
  await fillBooks(books)
  await books.tamper(...keep)
  for (const [what, statement, says] of tamperings) {
    await t.test(what, async () => {
      await books.tamper(...restore, statement)
      const { ok, discrepancies } = await books.ledger.verify()
      assert.equal(ok, false)
      assert.ok(
        discrepancies.some((sentence) => says.test(sentence)),
        discrepancies.join('\n'),
      )
    })
  }
  await books.tamper(...restore)
  assert.deepEqual((await books.ledger.verify()).discrepancies, [])
})

test('at most a hundred discrepancies are told', async (t, engine) => {
  const books = await openLedger(t, engine)
  const insert = (id: number) => `insert into balance values ('acc_${id}', 5, 5, '', 0, 1, 0, 0)`
  await books.tamper(...Array.from({ length: 150 }, (_, id) => insert(id)))
  const { ok, discrepancies } = await books.ledger.verify()
  assert.deepEqual([ok, discrepancies.length], [false, 100])
})

test('charges go on while the books are verified', async (t, engine) => {
  const books = await openLedger(t, engine)
  await books.open('a', 1_000_000)
  const charging = Promise.all(
    Array.from({ length: 200 }, (_, id) => books.charge(makeCharge('a', `req_${id}`))),
  )
  const verifications = await Promise.all(Array.from({ length: 5 }, () => books.ledger.verify()))
  await charging
  for (const { discrepancies } of verifications) assert.deepEqual(discrepancies, [])
})
