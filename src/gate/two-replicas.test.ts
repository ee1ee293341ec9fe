import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import pg from 'pg'
import { systemClock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import { nano, ZERO } from '#platform/money.ts'
import {
  countReasons,
  createCaller,
  holdOf,
  insertKey,
  openCaller,
  reasonOf,
  together,
  type AccountWanted,
  type Caller,
  type KeyWanted,
  type KnownKey,
} from '../../test/support/gate-caller.ts'
import {
  openGateStore,
  openGateStoreAgain,
  startReplica,
  type ReplicaOptions,
} from '../../test/support/gate-rooms.ts'
import { createRandom, type Random } from '../../test/support/random.ts'

/**
 * Short, so that rounds need not be waited for; and long enough that no replica counts as dead, which is after
 * five of them, while the machine does something else.
 */
const RENEW_EVERY_MS = 200

/** Two replicas of the service, each with connections of its own, on one PostgreSQL database. */
const store = await openGateStore({ after }, 'postgres')
const sameStore = await openGateStoreAgain({ after }, store)

/** Without a clock the gates go by the database's, as the service does; the books must be of the same day. */
function startReplicas(t: TestContext, options: Partial<ReplicaOptions> = {}) {
  const common = { clock: systemClock, gateClock: undefined, ...options }
  const replicas = [startReplica(store, common), startReplica(sameStore, common)] as const
  for (const replica of replicas) t.after(() => replica.close())
  return replicas
}

/** One account, at the gates of both. */
async function openCallers(
  t: TestContext,
  wanted: AccountWanted = {},
  keyWanted: KeyWanted = {},
  options: Partial<ReplicaOptions> = {},
) {
  const [first, second] = startReplicas(t, options)
  const caller = await openCaller(first, wanted, keyWanted)
  return [caller, createCaller(second, caller.key)] as const
}

/** The database itself, as whoever watches it or stands in its way. */
async function connect(t: TestContext): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: store.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  return client
}

async function until(client: pg.Client, isTrue: string): Promise<void> {
  const startMs = performance.now()
  while ((await client.query(`select where ${isTrue}`)).rowCount === 0) {
    assert.ok(performance.now() - startMs < 5_000, `it never became true: ${isTrue}`)
  }
}

const limits = [
  ['requests', { minTier: 1 }, { admitted: 10, requests: 90 }],
  ['balance', { grant: 750 }, { admitted: 7, balance: 93 }],
  ['ceiling', { ceiling: nano(250) }, { admitted: 3, ceiling: 97 }],
] as const

for (const [limit, wanted, counts] of limits) {
  test(`requests at two replicas at once share one limit: ${limit}`, async (t) => {
    const [first, second] = await openCallers(t, wanted)
    const both = await Promise.all([together(50, first.admit), together(50, second.admit)])
    assert.deepEqual(countReasons(both.flat()), counts)
    assert.equal(await first.held(), counts.admitted * 100)
    assert.equal(await second.held(), counts.admitted * 100)
  })
}

test('a key revoked at one replica, or an account suspended, is refused by the very next request at the other', async (t) => {
  const [first, second] = await openCallers(t)
  assert.equal((await second.admit()).kind, 'admitted')
  await first.update({ suspended: true })
  assert.equal((await second.admit()).kind, 'suspended')
  assert.equal((await second.gate.recognise(first.key.keyHash, 0)).kind, 'suspended')
  await first.update({ suspended: false })
  assert.equal((await second.admit()).kind, 'admitted')
  await first.revoke()
  assert.equal((await second.admit()).kind, 'unknown')
  assert.equal((await second.gate.recognise(first.key.keyHash, 0)).kind, 'unknown')
})

test('a key with a ceiling spends it once, at however many replicas', async (t) => {
  const callers = await openCallers(t, {}, { ceiling: nano(1_250) })
  const [first, second] = callers
  const both = await Promise.all([together(50, first.admit), together(50, second.admit)])
  assert.deepEqual(countReasons(both.flat()), { admitted: 12, key_ceiling: 88 })
  const [hold, ...holds] = both.flatMap((admissions, at) =>
    admissions.flatMap((one) => (one.kind === 'admitted' ? [[at, one.hold] as const] : [])),
  )
  for (const [at, one] of holds) await callers[at]?.settle(one, 10, 100)
  for (const { admit } of callers) assert.equal(reasonOf(await admit()), 'key_ceiling')
  assert.ok(hold)
  await callers[hold[0]]?.settle(hold[1], 10, 49)
  for (const { admit } of callers) {
    assert.equal(reasonOf(await admit({ cost: nano(102), tokens: 1 })), 'key_ceiling')
  }
  assert.equal(reasonOf(await second.admit({ cost: nano(101), tokens: 1 })), 'admitted')
})

test('a key changed at one replica is as it is now for the very next request at the other', async (t) => {
  const [first, second] = await openCallers(t)
  assert.equal(reasonOf(await second.admit()), 'admitted')
  await first.updateKey({ ceiling: nano(199) })
  assert.equal(reasonOf(await second.admit()), 'key_ceiling')
  await first.updateKey({ ceiling: null, expiresAtMs: 1 })
  assert.equal(reasonOf(await second.admit()), 'unknown')
  assert.equal((await second.gate.recognise(first.key.keyHash, 0)).kind, 'unknown')
})

test('what a replica tells again after a crash of the database is held by its keys, too', async (t) => {
  const client = await connect(t)
  const [caller] = await openCallers(
    t,
    {},
    { ceiling: nano(250) },
    { renewEveryMs: RENEW_EVERY_MS },
  )
  const hold = holdOf(await caller.admit())
  await caller.admit()
  await client.query('truncate gate_hold, gate_account, gate_replica, gate_opening')
  await until(client, `exists (select from gate_hold)`)
  await until(client, `exists (select from gate_opening where opens_at <= epoch_ms())`)
  assert.equal(reasonOf(await caller.admit()), 'key_ceiling')
  await caller.settle(hold, 10, 40)
  assert.equal(reasonOf(await caller.admit({ cost: nano(111), tokens: 1 })), 'key_ceiling')
  assert.equal(reasonOf(await caller.admit({ cost: nano(110), tokens: 1 })), 'admitted')
})

test('what one replica charges, the other cannot spend', async (t) => {
  const [first, second] = await openCallers(t, { grant: 100 })
  const hold = holdOf(await first.admit())
  assert.equal(reasonOf(await second.admit()), 'balance')
  await first.settle(hold, 10, 60)
  const rest = { cost: nano(40), tokens: 1 }
  assert.equal(reasonOf(await second.admit({ ...rest, cost: nano(41) })), 'balance')
  assert.equal(reasonOf(await second.admit(rest)), 'admitted')
  assert.deepEqual([await first.held(), await first.balance()], [40, 40])
})

/** Of some of the keys under load, so low that it is met. */
const CEILING = nano(20_000)

/** Holds a few requests at a time and ends each in one way or the other; none may cost more than held. */
async function liveOn(callers: readonly Caller[], random: Random, requests: number): Promise<void> {
  for (let request = 0; request < requests; request += 1) {
    const caller = random.pick(callers)
    const cost = random.between(0, 4_000)
    const admission = await caller.admit({ cost: nano(cost), tokens: random.between(0, 300) })
    if (admission.kind !== 'admitted') continue
    if (random.between(0, 3) === 0) await caller.gate.release(admission.hold)
    else {
      const { charged } = await caller.settle(admission.hold, 100, random.between(0, cost))
      assert.equal(charged.writtenOff, 0, 'more was held than the account had')
    }
  }
}

test('under load at two replicas, with the same accounts, nothing is overspent, by no key either, and nothing waits for ever', async (t) => {
  const random = createRandom()
  t.diagnostic(`PARLEY_TEST_SEED=${random.seed}`)
  const client = await connect(t)
  const replicas = startReplicas(t, { renewEveryMs: RENEW_EVERY_MS })
  const [{ ledger }] = replicas
  const callers: Caller[] = []
  const keys: KnownKey[] = []
  for (const grant of [10_000, 50_000, 1_000_000, 1_000_000]) {
    const caller = await openCaller(replicas[0], { grant })
    const limited = await insertKey(replicas[0], caller.key.accountId, { ceiling: CEILING })
    keys.push(limited)
    for (const key of [caller.key, limited]) {
      for (const replica of replicas) callers.push(createCaller(replica, key))
    }
  }
  await Promise.all(Array.from({ length: 40 }, () => liveOn(callers, random, 25)))
  for (const { held } of callers) assert.equal(await held(), 0)
  for (const key of keys) {
    const { spent } = await ledger.keySpend(key)
    assert.ok(spent > 0 && spent <= CEILING, `${spent} spent by a key with a ceiling of ${CEILING}`)
  }
  const { rows } = await client.query('select count(*)::int as holds from gate_hold')
  assert.deepEqual(rows, [{ holds: 0 }])
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test("a dead replica's holds are ended, and those of the living stay", async (t) => {
  const client = await connect(t)
  const [first, second] = await openCallers(t, { minTier: 1 })
  const kept = holdOf(await second.admit())
  await first.admit({ cost: nano(70), tokens: 500 })
  const { rows } = await client.query<{ id: string }>(
    'select replica_id as id from gate_hold where account_id = $1 and cost_nano = 70',
    [first.key.accountId],
  )
  await client.query('update gate_replica set expires_at = 0 where id = $1', [rows[0]?.id])
  await client.query('select sweep_holds()')
  assert.equal(await second.held(), 100)
  // Whether the tokens of those that died were used is not known: they stay counted.
  const { allowance } = await second.settle(kept, 10)
  assert.deepEqual([allowance.requestsLeft, allowance.tokensLeft], [8, 10_000 - 510])
})

test("one account's long queue does not keep another's request waiting to its end", async (t) => {
  const [replica] = startReplicas(t)
  const busy = await openCaller(replica)
  const other = await openCaller(replica)
  let answered = 0
  const queue = together(2_000, async () => {
    await busy.admit(null)
    answered += 1
  })
  assert.equal((await other.admit()).kind, 'admitted')
  assert.ok(answered <= 600, `${answered} were answered before it`)
  await queue
  assert.equal(answered, 2_000)
})

/** A replica that has the account's row to itself, until it commits. */
async function standInTheWay(client: pg.Client, { key }: Caller): Promise<void> {
  await client.query('insert into gate_replica values ($1, epoch_ms() + 60000)', [key.accountId])
  await client.query('begin')
  await client.query('select lock_gate_accounts(array[$1]::text[])', [key.accountId])
}

/** Counts so many requests there. */
async function countAt(client: pg.Client, { key }: Caller, requests: number): Promise<void> {
  const keyHashes = Array<string>(requests).fill(key.keyHash)
  const nothing = Array<null>(requests).fill(null)
  await client.query(
    `select from admit_requests($1, $2, $3, $4, $5, '{10,100,500}', '{10000,200000,1000000}', 10, 100, null)`,
    [key.accountId, keyHashes, keyHashes, nothing, nothing],
  )
}

test('a request that waited while another replica began the window is counted in it', async (t) => {
  const [holder, watcher] = [await connect(t), await connect(t)]
  const [caller] = await openCallers(t, { minTier: 1 })
  // The lease is begun by the first request: not the one that is to wait.
  await caller.gate.admit({ keyHash: 'nobody', requestId: createId('req'), wanted: null })
  await standInTheWay(holder, caller)
  const waiting = caller.admit()
  await until(watcher, `exists (select from pg_locks where not granted)`)
  const { rows } = await watcher.query<{ now: number }>('select epoch_ms() as now')
  await until(watcher, `epoch_ms() > ${rows[0]?.now} + 2`)
  await countAt(holder, caller, 10)
  await holder.query('commit')
  assert.equal(reasonOf(await waiting), 'requests')
})

test('a request that the database refuses takes nothing from those that were asked with it', async (t) => {
  const client = await connect(t)
  const [replica] = startReplicas(t, { renewEveryMs: RENEW_EVERY_MS })
  const caller = await openCaller(replica)
  const broken = await openCaller(replica)
  await client.query('delete from balance where account_id = $1', [broken.key.accountId])
  // The first opens a batch of its own; the others meet in the next, which is tried one by one.
  const settled = await Promise.allSettled([
    caller.admit(),
    caller.admit(),
    broken.admit(),
    caller.admit(),
  ])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  await twoRounds(client, caller)
  assert.equal(await caller.held(), 300)
})

/** The replica has looked again after what is left to do, and so in full since this was called. */
async function twoRounds(client: pg.Client, { key }: Caller): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    const lease = `select max(expires_at) as at from gate_replica where id in
      (select replica_id from gate_hold where account_id = '${key.accountId}')`
    const { rows } = await client.query<{ at: string }>(lease)
    await until(client, `(${lease}) > ${rows[0]?.at}`)
  }
}

test('two keys of one account, at two replicas, have one window and one balance', async (t) => {
  const [first, second] = startReplicas(t)
  const one = await openCaller(first, { minTier: 1, grant: 450 })
  const other = createCaller(second, await insertKey(first, one.key.accountId))
  const both = await Promise.all([together(4, one.admit), together(4, other.admit)])
  assert.deepEqual(countReasons(both.flat()), { admitted: 4, balance: 4 })
  const free = { cost: ZERO, tokens: 1 }
  const rest = await Promise.all([
    together(3, () => one.admit(free)),
    together(3, () => other.admit(free)),
  ])
  assert.deepEqual(countReasons(rest.flat()), { admitted: 2, requests: 4 })
})
