import { parseArgs } from 'node:util'
import { describeFailure, describeRound } from './describe.ts'
import { isFaultName, listFaultNames, type FaultName } from './faults/index.ts'
import type { RoundReport } from './run-round.ts'
import { runRounds } from './run-rounds.ts'
import type { StoreWish } from './stage.ts'

const USAGE = `npm run chaos -- [--rounds 10] [--seed S] [--only fault[,fault…]] [--store sqlite|postgres] [--replicas 2]

--rounds  how many storms, each with the next seed
--seed    of the first round; chosen by the clock where it is left out
--only    exactly these faults in every round: ${listFaultNames('sqlite').join(', ')};
            on PostgreSQL: ${listFaultNames('postgres').join(', ')}
--store   sqlite: one process; postgres: several on a real PostgreSQL, which is started for them
--replicas  how many, on PostgreSQL`

interface Wish {
  readonly rounds: number
  readonly seed: number
  readonly only: readonly FaultName[]
  readonly store: StoreWish
}

/** Undefined where the arguments say nothing that can be done. */
function readWish(): Wish | undefined {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      store: { type: 'string', default: 'sqlite' },
      replicas: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
    },
  })
  const names = values.only.flatMap((list) => list.split(','))
  const only = names.filter(isFaultName)
  const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
  const isPossible = Number.isInteger(rounds) && rounds >= 1 && Number.isInteger(seed)
  const store = readStore(values.store, values.replicas)
  return isPossible && store && only.length === names.length
    ? { rounds, seed, only, store }
    : undefined
}

const MAX_REPLICAS = 8

function readStore(engine: string, wanted: string | undefined): StoreWish | undefined {
  if (engine === 'sqlite') return wanted === undefined ? { engine } : undefined
  const replicas = Number(wanted ?? '2')
  const isPossible = Number.isInteger(replicas) && replicas >= 1 && replicas <= MAX_REPLICAS
  return engine === 'postgres' && isPossible ? { engine, replicas } : undefined
}

async function run({ rounds, seed, only, store }: Wish): Promise<boolean> {
  const startedMs = performance.now()
  const reports: RoundReport[] = []
  const failure = await runRounds({
    store,
    rounds: Array.from({ length: rounds }, (_, index) => ({ seed: seed + index, only })),
    onRound(report) {
      reports.push(report)
      console.log(`round ${reports.length}, ${describeRound(report)}`)
    },
  })
  if (failure) console.log(`\n${describeFailure(failure, store)}`)
  else console.log(`\n${summarise(reports, performance.now() - startedMs)}`)
  return failure === undefined
}

function summarise(reports: readonly RoundReport[], elapsedMs: number): string {
  const total = (figure: 'requests' | 'replies' | 'charges'): number =>
    reports.reduce((sum, report) => sum + report[figure], 0)
  const faults = reports.flatMap(({ plan }) => plan.faults)
  const kinds = new Set(faults.map(({ name }) => name))
  const most = Math.max(...reports.map(({ keptBytes }) => keptBytes))
  const refused = new Map<string, number>()
  for (const [code, count] of reports.flatMap(({ refusals }) => [...refusals])) {
    refused.set(code, (refused.get(code) ?? 0) + count)
  }
  return [
    `all held: ${reports.length} rounds, ${faults.length} faults of ${kinds.size} kinds,`,
    `${total('requests')} requests, ${total('replies')} replies, ${total('charges')} charges,`,
    `refused: ${[...refused].map(([code, count]) => `${count} ${code}`).join(', ')};`,
    `at most ${(most / 2 ** 20).toFixed(1)} MiB kept, ${(elapsedMs / 1000).toFixed(0)} s`,
  ].join(' ')
}

// An end by signal is an exit like any other, so that what has to be put away is.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const wish = readWish()
if (!wish) console.error(USAGE)
process.exitCode = wish && (await run(wish)) ? 0 : 1
