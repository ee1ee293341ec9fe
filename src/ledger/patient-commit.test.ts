import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { nano } from '#platform/money.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import {
  aways,
  bookingOf,
  charge,
  createCommits,
  createPatience,
  describeCharged,
  gone,
  idsIn,
  LONG_MS,
  RETRY_MS,
  SHORT_MS,
  until,
} from '../../test/support/patience.ts'
import { makeTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import type { Charge, Charged } from './charge.ts'
import { SpillFailed } from './patient-commit.ts'
import { createSpillFile, type SpillFile } from './spill-file.ts'

test('a charge that the store takes is booked, and no file is made', async (t) => {
  const commits = createCommits('works')
  const { patient, spill } = createPatience(t, { commit: commits.commit, patienceMs: LONG_MS })
  const chargings = await patient.commit([charge('a'), charge('b')])
  const booked = { kind: 'booked', charged: describeCharged(charge('a')) }
  assert.deepEqual(chargings, [booked, booked])
  assert.equal(patient.available(), true)
  assert.deepEqual([await idsIn(spill), commits.tried], [[], [['a', 'b']]])
})

for (const [how, error] of aways) {
  test(`a reply waits for a store that is away, ${how}, for less than the patience`, async (t) => {
    const commits = createCommits(error, error, error, 'works')
    const { patient, spill } = createPatience(t, { commit: commits.commit, patienceMs: LONG_MS })
    const committing = patient.commit([charge('a')])
    await until(() => commits.tried.length === 2)
    assert.equal(patient.available(), false)
    assert.equal((await committing)[0]?.kind, 'booked')
    assert.equal(patient.available(), true)
    assert.deepEqual([commits.booked, await idsIn(spill)], [['a'], []])
  })

  test(`a store away for longer than the patience, ${how}: spilled, and booked when it is back`, async (t) => {
    const commits = createCommits(error)
    const made = createPatience(t, { commit: commits.commit, patienceMs: SHORT_MS })
    const { patient, spill, logged } = made
    const chargings = await patient.commit([charge('a'), charge('b')])
    assert.equal(patient.available(), false)
    assert.deepEqual(await idsIn(spill), ['a', 'b'])
    assert.equal(logged.filter((line) => line.startsWith('the store is away')).length, 1)
    commits.now('works')
    const booked = await Promise.all(chargings.map(bookingOf))
    assert.deepEqual(booked, [charge('a'), charge('b')].map(describeCharged))
    assert.equal(patient.available(), true)
    await until(async () => (await idsIn(spill)).length === 0)
    assert.deepEqual(commits.booked, ['a', 'b'])
  })
}

test('a store that hangs is as good as away', async (t) => {
  const commits = createCommits('hangs')
  const { patient, spill } = createPatience(t, { commit: commits.commit, patienceMs: SHORT_MS })
  const [charging] = await patient.commit([charge('a')])
  assert.equal(patient.available(), false)
  assert.deepEqual(await idsIn(spill), ['a'])
  commits.now('works')
  await bookingOf(charging)
  assert.equal(patient.available(), true)
  assert.deepEqual(commits.booked, ['a'])
})

test('a spilled charge is told only when the file has it on the disk', async (t) => {
  const { promise: onDisk, resolve: finish } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const append = async (): Promise<void> => {
    begin()
    await onDisk
  }
  const { commit } = createCommits(gone)
  const spill = { ...createSpillFile(''), append }
  const { patient } = createPatience(t, { commit, patienceMs: 0, spill })
  const told: string[] = []
  const committing = patient.commit([charge('a')]).then(([first]) => told.push(String(first?.kind)))
  await begun
  await nextTurn()
  assert.deepEqual(told, [])
  finish()
  await committing
  assert.deepEqual(told, ['spilled'])
})

/** Commits to the real books, the first time only after the promise given. */
function createLateCommit({ store, clock }: OpenLedger<'sqlite'>, release: Promise<void>) {
  const url = new URL('./commit-on-sqlite.ts', import.meta.url)
  const finished: string[] = []
  let isFirst = true
  async function commit(charges: readonly Charge[]): Promise<Charged[]> {
    const isLate = isFirst
    isFirst = false
    if (isLate) await release
    const input = { charges, atMs: clock.nowMs(), day: '2026-11-21' }
    const charged = await store.run<typeof input, Charged[]>({ url }, input)
    finished.push(isLate ? 'late' : 'in time')
    return charged
  }
  return { commit, finished }
}

test('a commit that hung and then succeeds after all books nothing twice', async (t) => {
  const books = await openLedger(t)
  await books.open('anna', 1_000)
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const { commit, finished } = createLateCommit(books, promise)
  const { patient } = createPatience(t, { commit, patienceMs: 20 })
  const [charging] = await patient.commit([makeCharge('anna', 'a', { cost: nano(300) })])
  // A slow disk, too, can make the second try take longer than the patience.
  if (charging?.kind === 'spilled') await charging.booked
  goOn()
  await until(() => finished.includes('late'))
  assert.equal(finished[0], 'in time')
  assert.equal((await books.fundsOf('anna')).balance, 700)
  assert.deepEqual((await books.ledger.verify()).discrepancies, [])
})

test('a commit that hung and succeeds before the spilled charge is booked counts once, too', async (t) => {
  const books = await openLedger(t)
  await books.open('anna', 1_000)
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const late = createLateCommit(books, promise)
  let isAway = true
  let tries = 0
  const commit = async (charges: readonly Charge[]): Promise<Charged[]> => {
    if (isAway && tries++ > 0) throw gone
    return late.commit(charges)
  }
  const { patient, spill } = createPatience(t, { commit, patienceMs: SHORT_MS })
  const [charging] = await patient.commit([makeCharge('anna', 'a', { cost: nano(300) })])
  goOn()
  await until(() => late.finished.length === 1)
  isAway = false
  const { charged, funds } = await bookingOf(charging)
  assert.deepEqual([charged, funds.balance], [300, 700])
  await until(async () => (await idsIn(spill)).length === 0)
  assert.deepEqual((await books.ledger.verify()).discrepancies, [])
})

test('a bug is thrown at once: it is no absence of the store, and nothing is spilled', async (t) => {
  const commits = createCommits(new Error('a bug'))
  const { patient, spill } = createPatience(t, { commit: commits.commit, patienceMs: LONG_MS })
  await assert.rejects(patient.commit([charge('a')]), /a bug/)
  assert.equal(patient.available(), true)
  assert.deepEqual([commits.tried, await idsIn(spill)], [[['a']], []])
})

test('a store that answers with a bug while it was away is there again', async (t) => {
  const commits = createCommits(gone, new Error('a bug'))
  const { patient } = createPatience(t, { commit: commits.commit, patienceMs: LONG_MS })
  await assert.rejects(patient.commit([charge('a')]), /a bug/)
  await until(() => patient.available())
})

test('while the store is long away, a charge is spilled after one try', async (t) => {
  const commits = createCommits(gone)
  const { patient, spill } = createPatience(t, { commit: commits.commit, patienceMs: SHORT_MS })
  await patient.commit([charge('a')])
  const [charging] = await patient.commit([charge('b')])
  assert.equal(charging?.kind, 'spilled')
  assert.equal(commits.tried.filter(([id]) => id === 'b').length, 1)
  assert.deepEqual(await idsIn(spill), ['a', 'b'])
})

/** A commit of which one charge is a bug in itself. */
function refuseOne(commits: ReturnType<typeof createCommits>, requestId: string) {
  return async (batch: readonly Charge[]): Promise<Charged[]> => {
    const charged = await commits.commit(batch)
    if (batch.some((item) => item.requestId === requestId)) throw new Error('cannot book')
    return charged
  }
}

test('a spilled charge that cannot be booked is logged, stays in the file and stops no other', async (t) => {
  const commits = createCommits(gone)
  const commit = refuseOne(commits, 'bad')
  const { patient, spill, logged } = createPatience(t, { commit, patienceMs: SHORT_MS })
  const chargings = await patient.commit([charge('a'), charge('bad'), charge('c')])
  commits.now('works')
  await Promise.all([chargings[0], chargings[2]].map(bookingOf))
  const errors = logged.filter((line) => line.startsWith('a spilled charge cannot be booked'))
  assert.equal(errors.length, 1)
  assert.match(String(errors[0]), /"request_id":"bad".*cannot book/)
  assert.ok((await idsIn(spill)).includes('bad'))
  assert.equal(patient.available(), true)
})

test('one spilled charge that can never be booked does not keep the service shut', async (t) => {
  const commits = createCommits(gone)
  const commit = refuseOne(commits, 'bad')
  const { patient, spill } = createPatience(t, { commit, patienceMs: SHORT_MS })
  await patient.commit([charge('bad')])
  commits.now('works')
  await until(() => patient.available())
  assert.deepEqual(await idsIn(spill), ['bad'])
})

/** A path at which no file can be written, whoever runs the test. */
function createUnwritable(t: Pick<TestContext, 'after'>): SpillFile {
  const path = join(makeTemporaryDirectory(t), 'spill.jsonl')
  mkdirSync(path)
  return createSpillFile(path)
}

test('a charge that neither the store nor the file takes is refused', async (t) => {
  const { commit } = createCommits(gone)
  const options = { commit, patienceMs: SHORT_MS, spill: createUnwritable(t) }
  const { patient } = createPatience(t, options)
  await assert.rejects(patient.commit([charge('a')]), (error: Error) => {
    assert.ok(error instanceof SpillFailed)
    assert.equal((error.cause as NodeJS.ErrnoException).code, 'EISDIR')
    return true
  })
  assert.equal(patient.available(), false)
})

test('a commit that hangs is waited for where the file takes nothing: it may be booked after all', async (t) => {
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const commit = async (charges: readonly Charge[]): Promise<Charged[]> => {
    await promise
    return charges.map(describeCharged)
  }
  const { patient } = createPatience(t, {
    commit,
    patienceMs: SHORT_MS,
    spill: createUnwritable(t),
  })
  let told = false
  const committing = patient.commit([charge('a')]).finally(() => (told = true))
  await delay(SHORT_MS * 5)
  assert.equal(told, false, 'refused what may still be charged')
  goOn()
  assert.equal((await committing)[0]?.kind, 'booked')
})

test('after a charge that not even the file took, the service opens again with the store', async (t) => {
  const commits = createCommits(gone)
  const options = { commit: commits.commit, patienceMs: SHORT_MS, spill: createUnwritable(t) }
  const { patient } = createPatience(t, options)
  await assert.rejects(patient.commit([charge('a')]))
  commits.now('works')
  await until(() => patient.available())
  assert.equal((await patient.commit([charge('b')]))[0]?.kind, 'booked')
})

test('a file that cannot be cleared takes nothing down: what is in it is booked', async (t) => {
  const commits = createCommits(gone)
  const path = join(makeTemporaryDirectory(t), 'spill.jsonl')
  const clear = async (): Promise<never> => {
    throw new Error('cannot be removed')
  }
  const spill = { ...createSpillFile(path), clear }
  const { patient } = createPatience(t, { commit: commits.commit, patienceMs: SHORT_MS, spill })
  const [first] = await patient.commit([charge('a')])
  commits.now('works')
  await bookingOf(first)
  commits.now(gone)
  const [second] = await patient.commit([charge('b')])
  commits.now('works')
  await bookingOf(second)
  assert.deepEqual(commits.booked, ['a', 'b'])
})

test('a file that cannot be cleared yet is cleared later, and told of once', async (t) => {
  const commits = createCommits(gone)
  const file = createSpillFile(join(makeTemporaryDirectory(t), 'spill.jsonl'))
  let tries = 0
  const clear = async (): Promise<void> => {
    tries += 1
    if (tries < 4) throw new Error('the disk is read-only')
    await file.clear()
  }
  const made = createPatience(t, {
    commit: commits.commit,
    patienceMs: SHORT_MS,
    spill: { ...file, clear },
  })
  const [charging] = await made.patient.commit([charge('a')])
  commits.now('works')
  await bookingOf(charging)
  await until(async () => (await idsIn(file)).length === 0)
  assert.deepEqual([tries, commits.booked], [4, ['a']])
  const told = made.logged.filter((line) => line.includes('cannot be cleared'))
  assert.equal(told.length, 1)
})

test('once it is closed it tries no more, and the file keeps what is owed', async (t) => {
  const commits = createCommits(gone)
  const made = createPatience(t, { commit: commits.commit, patienceMs: LONG_MS })
  const committing = made.patient.commit([charge('a')])
  await until(() => commits.tried.length > 0)
  made.patient.close()
  assert.equal((await committing)[0]?.kind, 'spilled')
  const tries = commits.tried.length
  commits.now('works')
  await new Promise((resolve) => setTimeout(resolve, 3 * RETRY_MS))
  assert.equal(commits.tried.length, tries)
  assert.match(readFileSync(made.path, 'utf8'), /^\{"requestId":"a",.*\}\n$/)
})

/** A file in memory whose operations take turns and would lose lines if two ran at once. */
function createSlowSpill(turns: readonly number[]) {
  let lines: readonly Charge[] = []
  let operations = 0
  async function takeTurns(): Promise<void> {
    const count = turns[operations++ % turns.length] ?? 0
    for (let turn = 0; turn < count; turn += 1) await nextTurn()
  }
  const spill: SpillFile = {
    async append(charges) {
      const before = lines
      await takeTurns()
      lines = [...before, ...charges]
      await takeTurns()
    },
    read: async () => [...lines],
    async clear() {
      await takeTurns()
      lines = []
    },
  }
  return { spill, has: (id: string) => lines.some(({ requestId }) => requestId === id) }
}

const steps = fc.array(fc.oneof(fc.nat(3), fc.constantFrom('goes', 'comes', 'turn')), {
  minLength: 4,
  maxLength: 25,
})
const turns = fc.array(fc.nat(3), { minLength: 1, maxLength: 6 })

test('however the store comes and goes, what is told as durable is in the books or in the file', async (t) => {
  await fc.assert(
    fc.asyncProperty(steps, turns, async (sequence, slowness) => {
      const commits = createCommits('works')
      const file = createSlowSpill(slowness)
      const options = { commit: commits.commit, patienceMs: 0, spill: file.spill }
      const { patient } = createPatience(t, options)
      const told: string[] = []
      const underWay: Promise<unknown>[] = []
      const start = async (place: number, count: number): Promise<void> => {
        const ids = Array.from({ length: count }, (_, item) => `${place}.${item}`)
        const chargings = await patient.commit(ids.map(charge))
        told.push(...ids)
        underWay.push(...chargings.filter(({ kind }) => kind === 'spilled').map(bookingOf))
      }
      for (const [place, step] of sequence.entries()) {
        if (step === 'goes') commits.now(gone)
        if (step === 'comes') commits.now('works')
        if (typeof step === 'number') underWay.push(start(place, step + 1))
        await nextTurn()
        const lost = told.filter((id) => !commits.booked.includes(id) && !file.has(id))
        assert.deepEqual(lost, [])
      }
      commits.now('works')
      for (const work of underWay) await work
      assert.deepEqual(new Set(commits.booked), new Set(told))
      await until(async () => (await file.spill.read()).length === 0)
    }),
    { numRuns: 150 },
  )
})
