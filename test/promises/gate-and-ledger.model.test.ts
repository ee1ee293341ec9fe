import fc from 'fast-check'
import { nano, NANO_PER_EURO, type NanoEuro } from '#platform/money.ts'
import { hasCurrentWindow } from '../support/gate-model.ts'
import { testOnEachEngine } from '../support/each-engine.ts'
import { createRandom } from '../support/random.ts'
import { canChargeLate, type ServiceModel } from '../support/service-model.ts'
import {
  abandon,
  admit,
  chargeLate,
  closeServiceWorld,
  compareWithStore,
  crashReplica,
  createServiceWorld,
  credit,
  openServiceStart,
  settleAll,
  settleOne,
  type ServiceWorld,
} from '../support/service-world.ts'

/** As many runs as this; without it as many as fit into the time. See also PARLEY_TEST_SEED. */
const runsWanted = Number(process.env['PARLEY_MODEL_RUNS'] ?? Infinity)
const TIME_MS = 15_000
const RUNS_AT_A_TIME = 50

type Command = fc.AsyncCommand<ServiceModel, ServiceWorld>

function command<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (model: ServiceModel, world: ServiceWorld, input: Input) => Promise<void> | void,
  check: (model: Readonly<ServiceModel>) => boolean = () => true,
): fc.Arbitrary<Command> {
  return inputs.map((input) => ({
    check,
    async run(model, world) {
      await run(model, world, input)
      await compareWithStore(model, world)
    },
    toString: () => `${name} ${JSON.stringify(input)}`,
  }))
}

const EURO = NANO_PER_EURO
const hasLive = ({ live }: Readonly<ServiceModel>): boolean => live.length > 0

/** The last is a key that nobody has. */
const key = fc.nat(3)
const place = fc.nat(1)
const replica = fc.nat(1)
const cost = fc.oneof(fc.nat(EURO / 2), fc.constantFrom(0, 1, EURO, EURO + 1))
const tokens = fc.oneof(fc.nat(4_000), fc.constantFrom(0, 1, 9_999, 10_000, 10_001, 200_001))
const use = fc.record({ tokens, cost })
const wanted = fc.record({ cost: cost.map(nano), tokens })
/** Steps of a wall clock: on, over a window's end, over midnight, and back. */
const steps = fc.constantFrom(1, 999, 30_000, 59_999, 60_000, 60_001, 3_600_000, 86_400_000)

const admitting = command(
  'admit',
  fc.record({ key, replica, count: fc.constant(1), wanted: fc.option(wanted, { freq: 8 }) }),
  admit,
)
const crowding = command(
  'admit many at once',
  fc.record({ key, replica, count: fc.integer({ min: 2, max: 14 }), wanted }),
  admit,
)
const settling = command(
  'settle',
  fc.record({ place: fc.nat(9), use }),
  (model, world, input) => settleOne(model, world, input.place, input.use),
  hasLive,
)
const settlingAll = command(
  'settle all at once',
  fc.record({ replica, use }),
  (model, world, input) => settleAll(model, world, input.replica, input.use),
  hasLive,
)
const abandoning = command('abandon', fc.nat(9), abandon, hasLive)
const crediting = command(
  'credit',
  fc.record({
    place,
    replica,
    kind: fc.constantFrom('deposit' as const, 'grant' as const),
    amount: fc.constantFrom(1, EURO, 9 * EURO, 100 * EURO),
    reference: fc.nat(9),
  }),
  credit,
)
const revoking = command('revoke', fc.record({ key: fc.nat(2), replica }), revoke)
const limiting = command(
  'limit',
  fc.record({
    place,
    replica,
    changes: fc.record(
      {
        minTier: fc.constantFrom(1 as const, 2 as const, 3 as const),
        ceiling: fc
          .constantFrom(null, 0, 1, EURO / 2, EURO)
          .map((most) => (most === null ? null : nano(most))),
        suspended: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  limit,
)
const limitingKey = command(
  'limit key',
  fc.record({
    key: fc.nat(2),
    replica,
    changes: fc.record(
      {
        ceiling: fc
          .constantFrom(null, 0, EURO / 4, EURO / 2, EURO)
          .map((most) => (most === null ? null : nano(most))),
        expiresInMs: fc.constantFrom(null, null, 0, 1, 60_000, 86_400_000),
      },
      { requiredKeys: [] },
    ),
  }),
  limitKey,
)
const chargingLate = command(
  'charge late',
  fc.record({ place: fc.nat(9), replica, use }),
  chargeLate,
  (model) => canChargeLate(model).length > 0,
)
const crashing = command(
  'crash',
  fc.record({
    replica,
    lastUse: fc.option(use, { freq: 1 }),
    spilled: fc.option(use, { freq: 1 }),
  }),
  crashReplica,
)
const passing = command('pass', steps, (_, { clock }, stepMs) => clock.advance(stepMs))
const settingBack = command('set back', steps, (_, { clock }, stepMs) => clock.advance(-stepMs))

async function revoke(
  model: ServiceModel,
  { replicas, keys }: ServiceWorld,
  asked: { readonly key: number; readonly replica: number },
): Promise<void> {
  const { accountId, keyId } = keys[asked.key]!
  model.keys[asked.key] = undefined
  const { accounts } = replicas[asked.replica % replicas.length]!
  await accounts.revokeKey(accountId, keyId, 'test')
}

async function limit(
  model: ServiceModel,
  { replicas, accountIds }: ServiceWorld,
  asked: {
    readonly place: number
    readonly replica: number
    readonly changes: Parameters<ServiceWorld['replicas'][number]['accounts']['update']>[1]
  },
): Promise<void> {
  Object.assign(model.accounts[asked.place]!, asked.changes)
  const { accounts } = replicas[asked.replica % replicas.length]!
  await accounts.update(accountIds[asked.place]!, asked.changes, 'test')
}

async function limitKey(
  model: ServiceModel,
  { replicas, keys, clock }: ServiceWorld,
  asked: {
    readonly key: number
    readonly replica: number
    readonly changes: { readonly ceiling?: NanoEuro | null; readonly expiresInMs?: number | null }
  },
): Promise<void> {
  const { expiresInMs, ...ceiling } = asked.changes
  const expiresAtMs = expiresInMs === null ? null : clock.nowMs() + (expiresInMs ?? 0)
  const changes = { ...ceiling, ...(expiresInMs !== undefined && { expiresAtMs }) }
  Object.assign(model.keyLimits[asked.key]!, changes)
  const { accounts } = replicas[asked.replica % replicas.length]!
  await accounts.updateKey(keys[asked.key]!, changes, 'test')
}

/** What the gate in memory does every minute: windows that are over may be forgotten. */
function sweep(tick: () => void): fc.Arbitrary<Command> {
  return command('sweep', fc.constant(null), ({ keepsWindows, accounts }, { clock }) => {
    if (keepsWindows) return
    tick()
    for (const account of accounts) {
      if (account.holds.size === 0 && !hasCurrentWindow(account, clock.nowMs())) {
        account.window = undefined
      }
    }
  })
}

const repeat = (times: number, arbitrary: fc.Arbitrary<Command>) =>
  Array.from({ length: times }, () => arbitrary)

const weighted = [
  ...repeat(6, admitting),
  ...repeat(2, crowding),
  ...repeat(4, settling),
  ...repeat(1, settlingAll),
  ...repeat(2, abandoning),
  ...repeat(2, crediting),
  ...repeat(1, revoking),
  ...repeat(2, limiting),
  ...repeat(2, limitingKey),
  ...repeat(1, chargingLate),
  ...repeat(1, crashing),
  ...repeat(2, passing),
  ...repeat(1, settingBack),
]

testOnEachEngine(
  'whatever happens in whatever order, gate and ledger do as the plain rules do',
  async (t, engine) => {
    t.mock.timers.enable({ apis: ['setInterval'] })
    const start = await openServiceStart(t, engine)
    const sweeping = sweep(() => t.mock.timers.tick(60_000))
    const commands = fc.commands([...weighted, sweeping], { maxCommands: 30, size: 'max' })
    const property = fc.asyncProperty(commands, async (sequence) => {
      const { model, real } = await createServiceWorld(start)
      await fc.asyncModelRun(() => ({ model, real }), sequence)
      await closeServiceWorld(model, real)
    })
    const { seed } = createRandom()
    const startMs = performance.now()
    let runs = 0
    let numRuns = Math.min(RUNS_AT_A_TIME, runsWanted)
    while (numRuns > 0) {
      // The seed that a failure tells is that of its own runs: with it they come first.
      await fc.assert(property, { numRuns, seed: seed + runs })
      runs += numRuns
      const isOver = runsWanted === Infinity && performance.now() - startMs > TIME_MS
      numRuns = isOver ? 0 : Math.min(RUNS_AT_A_TIME, runsWanted - runs)
    }
    t.diagnostic(`${runs} runs, PARLEY_TEST_SEED=${seed}`)
  },
)
