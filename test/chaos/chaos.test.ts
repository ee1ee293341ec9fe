import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailure, describeRound, writeCommand } from './describe.ts'
import { FAULT_NAMES, type FaultName } from './faults/index.ts'
import { runRounds, type RoundWish } from './run-rounds.ts'

/** The same storms every day, every kind of fault among them, so that a failure is news. */
const KNOWN_STORMS: Readonly<Record<string, readonly FaultName[]>> = {
  killed: [
    'kill',
    'store-forgets',
    'store-slow',
    'upstream-lies',
    'upstream-overruns',
    'clients-vanish',
    'clock-over-midnight',
  ],
  flooded: [
    'disk-full',
    'store-hangs',
    'store-full',
    'upstream-resets',
    'upstream-floods',
    'clients-idle',
    'clients-read-slowly',
    'clock-back',
  ],
  frozen: [
    'freeze',
    'disk-read-only',
    'store-fails',
    'store-read-only',
    'upstream-hangs',
    'clients-send-slowly',
    'clock-over-window-end',
  ],
}
const KNOWN_SEED = 20_261_121

test('through every kind of fault each reply that ended is paid once, to the nano-euro', async (t) => {
  const met = new Set(Object.values(KNOWN_STORMS).flat())
  assert.deepEqual(
    FAULT_NAMES.filter((name) => !met.has(name)),
    [],
  )
  const rounds: RoundWish[] = Object.values(KNOWN_STORMS).map((only) => ({
    seed: KNOWN_SEED,
    only,
  }))
  const random: RoundWish = { seed: Date.now() % 2 ** 31, only: [] }
  // Said beforehand, for a round that never ends.
  t.diagnostic(`and once by chance: ${writeCommand(random)}`)
  let replies = 0
  const failure = await runRounds({
    store: { engine: 'sqlite' },
    rounds: [...rounds, random],
    onRound(report) {
      replies += report.replies
      for (const line of describeRound(report).split('\n')) t.diagnostic(line)
    },
  })
  assert.equal(failure && describeFailure(failure), undefined)
  assert.ok(replies > 150, 'too few replies ended for this to prove anything')
})

/**
 * No replica is killed here: the holds of a dead one are back after 18 s, too long for every day.
 * At this seed the database ends in good order.
 */
const SHARED_STORM = {
  seed: 8,
  only: ['database-restart', 'store-fails', 'upstream-resets', 'clients-vanish'],
} as const

test('two replicas and their PostgreSQL come through a storm, to the nano-euro', async (t) => {
  const store = { engine: 'postgres', replicas: 2 } as const
  let replies = 0
  const failure = await runRounds({
    store,
    rounds: [SHARED_STORM],
    onRound(report) {
      replies += report.replies
      for (const line of describeRound(report).split('\n')) t.diagnostic(line)
    },
  })
  assert.equal(failure && describeFailure(failure, store), undefined)
  assert.ok(replies > 50, 'too few replies ended for this to prove anything')
})
