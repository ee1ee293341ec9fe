import { test } from 'node:test'
import fc from 'fast-check'
import { nano } from '#platform/money.ts'
import {
  admit,
  changeAccount,
  changeKey,
  checkHeld,
  closeGateWorld,
  createGateWorld,
  endHold,
  forgetIdle,
  KEY_HASHES,
  speedUp,
  type GateWorld,
} from '../../test/support/gate-world.ts'

const EURO = 1_000_000_000

interface Command {
  run(world: GateWorld): Promise<void> | void
}

function command<Input>(
  inputs: fc.Arbitrary<Input>,
  name: string,
  run: (world: GateWorld, input: Input) => Promise<void> | void,
): fc.Arbitrary<Command> {
  return inputs.map((input) => ({
    run: (world) => run(world, input),
    [fc.toStringMethod]: () => `${name} ${JSON.stringify(input)}`,
  }))
}

const keyHashes = fc.constantFrom(...KEY_HASHES)
const places = fc.constantFrom(0, 1)
const wanted = fc.record({
  cost: fc
    .oneof(fc.integer({ min: 0, max: EURO / 2 }), fc.constantFrom(0, EURO, EURO + 1))
    .map(nano),
  tokens: fc.oneof(
    fc.integer({ min: 0, max: 4_000 }),
    fc.constantFrom(1, 9_999, 10_000, 10_001, 200_001),
  ),
})
/** Steps of a wall clock: on, over a window's end, over midnight, and back. */
const steps = fc.constantFrom(
  1,
  999,
  1_000,
  30_000,
  59_999,
  60_000,
  60_001,
  3_600_000,
  86_400_000,
  -1,
  -1_000,
  -59_999,
  -60_000,
  -3_600_000,
  -86_400_000,
)

const admitting = command(
  fc.tuple(keyHashes, fc.option(wanted, { freq: 6 })),
  'admit',
  (world, [keyHash, what]) => admit(world, keyHash, what),
)
const settling = command(
  fc.record({ place: fc.nat(20), tokens: fc.nat(5_000), charge: fc.nat((EURO * 3) / 4) }),
  'settle',
  (world, { place, ...use }) => endHold(world, place, use),
)
const releasing = command(fc.nat(20), 'release', (world, place) => endHold(world, place, null))
const passing = command(steps, 'pass', (world, stepMs) => world.clock.advance(stepMs))
const crediting = command(
  fc.record({
    place: places,
    amount: fc.constantFrom(1, EURO, 9 * EURO, 100 * EURO),
    paid: fc.boolean(),
  }),
  'credit',
  (world, { place, amount, paid }) =>
    changeAccount(world, place, (account) => {
      account.balance += amount
      if (paid) account.deposits += amount
      account.version += 1
    }),
)
const refunding = command(places, 'refund all', (world, place) =>
  changeAccount(world, place, (account) => {
    account.deposits = Math.max(0, account.deposits - account.balance)
    account.balance = 0
    account.version += 1
  }),
)
const limiting = command(
  fc.record({
    place: places,
    minTier: fc.constantFrom(1 as const, 2 as const, 3 as const),
    ceiling: fc.constantFrom(null, nano(0), nano(1), nano(EURO / 2), nano(EURO)),
    suspended: fc.boolean(),
  }),
  'limit',
  (world, { place, ...limits }) =>
    changeAccount(world, place, (account) => {
      Object.assign(account, limits)
    }),
)
const lifting = command(places, 'lift limits', (world, place) =>
  changeAccount(world, place, (account) => {
    account.suspended = false
    account.ceiling = null
  }),
)
const limitingKey = command(
  fc.record({
    keyHash: keyHashes,
    ceiling: fc.constantFrom(null, nano(0), nano(EURO / 4), nano(EURO / 2), nano(EURO)),
  }),
  'limit key',
  (world, { keyHash, ceiling }) => changeKey(world, keyHash, { ceiling }),
)
const expiring = command(
  fc.record({
    keyHash: keyHashes,
    inMs: fc.constantFrom(null, null, 0, 1, 60_000, 86_400_000),
  }),
  'let key expire',
  (world, { keyHash, inMs }) =>
    changeKey(world, keyHash, { expiresAtMs: inMs === null ? null : world.clock.nowMs() + inMs }),
)
const revoking = command(keyHashes, 'revoke', (world, keyHash) => {
  world.owners.delete(keyHash)
  world.gate.forgetKey(keyHash)
})
const making = command(fc.tuple(keyHashes, places), 'make key', async (world, [keyHash, place]) => {
  // Nobody can ask for a key before it is made: no look-up of it is under way.
  await speedUp(world, false)
  if (keyHash === 'key-3' && !world.owners.has(keyHash)) world.owners.set(keyHash, place)
})
const slowing = command(fc.constant(null), 'store slows down', (world) => {
  world.store.isSlow = true
})
const speeding = command(fc.boolean(), 'store speeds up', (world, newest) => speedUp(world, newest))

/** Set by the test, which holds the timers. */
let sweep = (): void => {}
const sweeping = command(fc.constant(null), 'sweep', (world) => {
  sweep()
  forgetIdle(world)
})

const commands = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: admitting },
    { weight: 12, arbitrary: settling },
    { weight: 4, arbitrary: releasing },
    { weight: 8, arbitrary: passing },
    { weight: 4, arbitrary: crediting },
    { weight: 1, arbitrary: refunding },
    { weight: 3, arbitrary: limiting },
    { weight: 3, arbitrary: lifting },
    { weight: 4, arbitrary: limitingKey },
    { weight: 2, arbitrary: expiring },
    { weight: 1, arbitrary: revoking },
    { weight: 1, arbitrary: making },
    { weight: 2, arbitrary: slowing },
    { weight: 4, arbitrary: speeding },
    { weight: 2, arbitrary: sweeping },
  ),
  { maxLength: 60, size: 'max' },
)

test('whatever happens in whatever order, the gate decides as the plain rules do', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  sweep = () => t.mock.timers.tick(60_000)
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const world = createGateWorld()
      try {
        for (const step of sequence) {
          await step.run(world)
          await checkHeld(world)
        }
      } finally {
        await closeGateWorld(world)
      }
    }),
    { numRuns: 3_000 },
  )
})
