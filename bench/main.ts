import { parseArgs } from 'node:util'
import { runChargeBench } from './charge/charge.ts'
import { runChatBench } from './chat/chat.ts'
import { runEstimateBench } from './estimate/estimate.ts'
import { runGateBench } from './gate/gate.ts'
import { MOST_RECEIPTS, runGrowthBench } from './growth/growth.ts'
import { runLocalModelBench } from './local-model/local-model.ts'
import { runMoneyBench } from './money/money.ts'
import { runPeersBench } from './peers/peers.ts'
import { runReplicasBench } from './replicas/replicas.ts'
import { runScaleBench } from './scale/scale.ts'
import { describeMachine } from './machine.ts'
import { runSoak } from './soak/soak.ts'
import { runUsageBench } from './usage/usage.ts'
import { renderReport, type Pace, type Report } from './report.ts'
import { SECTIONS, writePerformancePage } from './write-performance-page.ts'

type Case = (pace: Pace, sizes: Sizes) => Report | Promise<Report>

/** How far the long cases go. */
interface Sizes {
  readonly receipts: number
  readonly requests: number
}

/** Run where none is named. */
const SHORT_CASES: Readonly<Record<string, Case>> = {
  chat: runChatBench,
  charge: runChargeBench,
  gate: runGateBench,
  estimate: runEstimateBench,
}

const CASES: Readonly<Record<string, Case>> = {
  ...SHORT_CASES,
  growth: (_pace, { receipts }) => runGrowthBench(receipts),
  'local-model': runLocalModelBench,
  money: runMoneyBench,
  peers: runPeersBench,
  replicas: runReplicasBench,
  scale: runScaleBench,
  soak: (_pace, { requests }) => runSoak(requests),
  usage: () => runUsageBench(),
}

/** All that has a place on the page. */
const ALL = SECTIONS.flatMap(({ cases }) => cases)

const MOST_REQUESTS = 1_000_000

const USAGE = `npm run bench -- [case…] [--rounds 5] [--seconds 1.5] [--out]
npm run bench -- all [--rounds 5] [--seconds 1.5]
npm run bench -- local-model [--rounds 5]
npm run bench -- growth [--receipts ${MOST_RECEIPTS}]
npm run bench -- soak [--requests ${MOST_REQUESTS}]

Cases: ${Object.keys(CASES).join(', ')};
where none is named: ${Object.keys(SHORT_CASES).join(', ')}.
all runs ${ALL.join(', ')},
writes the page, and takes half an hour.
local-model needs the engine in node_modules/.cache/engine, where .ci/run puts
it, and 6 GB of memory.
peers installs others' gateways first, and takes a quarter of an hour, and so
does money, in which replies are lost and the euros are looked for. growth
takes half an hour and ten gigabytes; it uses DATABASE_URL's server where that
is set, as a superuser. The soak takes minutes, and so does usage.
--rounds   how many rounds the medians are taken over
--seconds  how long a round lasts
--out      writes the figures into docs/operate/performance.md: of ${SECTIONS.map(({ cases }) =>
  cases.join(', '),
).join('; of ')}`

const ALL_TAKES = 'All of it takes about half an hour at 5 rounds of 1.5 s.'

interface Wish {
  readonly names: readonly string[]
  readonly pace: Pace
  readonly sizes: Sizes
  readonly out: boolean
  readonly isAll: boolean
}

/** Undefined where the arguments say nothing that can be done. */
function readWish(): Wish | undefined {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      receipts: { type: 'string', default: String(MOST_RECEIPTS) },
      requests: { type: 'string', default: String(MOST_REQUESTS) },
      out: { type: 'boolean', default: false },
    },
  })
  const pace = { rounds: Number(values.rounds), roundMs: 1000 * Number(values.seconds) }
  const isAll = positionals.length === 1 && positionals[0] === 'all'
  const named = isAll ? ALL : positionals
  const names = named.length > 0 ? named : Object.keys(SHORT_CASES)
  const out = values.out || isAll
  const sizes = { receipts: Number(values.receipts), requests: Number(values.requests) }
  const known = names.every((name) => Object.hasOwn(CASES, name))
  const large = sizes.receipts >= 10_000 && Number.isInteger(sizes.requests) && sizes.requests >= 1
  const measurable = Number.isInteger(pace.rounds) && pace.rounds >= 1 && pace.roundMs > 0 && large
  return known && measurable && (!out || fillsSections(names))
    ? { names, pace, sizes, out, isAll }
    : undefined
}

/** A section with the figures of some of its cases would have lost those of the others. */
function fillsSections(names: readonly string[]): boolean {
  const filled = SECTIONS.filter(({ cases }) => cases.every((name) => names.includes(name)))
  return names.every((name) => filled.some(({ cases }) => cases.includes(name)))
}

async function run({ names, pace, sizes, out, isAll }: Wish): Promise<boolean> {
  const machine = describeMachine()
  console.log(`${machine}\n`)
  if (isAll) console.log(`${ALL_TAKES}\n`)
  const reports = new Map<string, Report>()
  for (const name of names) {
    const report = await CASES[name]?.(pace, sizes)
    if (!report) continue
    reports.set(name, report)
    console.log(renderReport(report))
  }
  const valid = [...reports.values()].every(({ problems }) => problems.length === 0)
  if (out && valid) writePerformancePage({ machine, pace, reports })
  return valid
}

const wish = readWish()
if (wish) {
  process.exitCode = (await run(wish)) ? 0 : 1
} else {
  console.error(USAGE)
  process.exitCode = 2
}
