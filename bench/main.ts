import { parseArgs } from 'node:util'
import { runChargeBench } from './charge/charge.ts'
import { runChatBench } from './chat/chat.ts'
import { runEstimateBench } from './estimate/estimate.ts'
import { runGateBench } from './gate/gate.ts'
import { describeMachine } from './machine.ts'
import { runSoak } from './soak/soak.ts'
import { renderReport, type Pace, type Report } from './report.ts'
import { writePerformancePage } from './write-performance-page.ts'

const CASES: Readonly<Record<string, (pace: Pace) => Report | Promise<Report>>> = {
  chat: runChatBench,
  charge: runChargeBench,
  gate: runGateBench,
  estimate: runEstimateBench,
}

const USAGE = `npm run bench -- [case…] [--rounds 5] [--seconds 1.5] [--out]
npm run bench -- soak [--requests 1000000]

Cases: ${Object.keys(CASES).join(', ')}; all where none is named. The soak takes minutes, and is run by itself.
--rounds    how many rounds the medians are taken over
--seconds   how long a round lasts
--out       writes the figures of all cases into docs/operate/performance.md
--requests  how many the soak sends`

const SOAK = 'soak'

interface Wish {
  readonly names: readonly string[]
  readonly pace: Pace
  readonly out: boolean
  /** How many requests a soak is wished for with; then nothing else is. */
  readonly soak: number | undefined
}

/** Undefined where the arguments say nothing that can be done. */
function readWish(): Wish | undefined {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '1.5' },
      out: { type: 'boolean', default: false },
      requests: { type: 'string', default: '1000000' },
    },
  })
  const pace = { rounds: Number(values.rounds), roundMs: 1000 * Number(values.seconds) }
  const requests = Number(values.requests)
  if (positionals.length === 1 && positionals[0] === SOAK) {
    const isCount = Number.isInteger(requests) && requests >= 1
    return isCount ? { names: [], pace, out: false, soak: requests } : undefined
  }
  const names = positionals.length > 0 ? positionals : Object.keys(CASES)
  const known = names.every((name) => Object.hasOwn(CASES, name))
  const measurable = Number.isInteger(pace.rounds) && pace.rounds >= 1 && pace.roundMs > 0
  // A page with the figures of some cases would have lost those of the others.
  const whole = !values.out || positionals.length === 0
  if (!known || !measurable || !whole) return undefined
  return { names, pace, out: values.out, soak: undefined }
}

async function run({ names, pace, out, soak }: Wish): Promise<boolean> {
  const machine = describeMachine()
  console.log(`${machine}\n`)
  const reports: Report[] = []
  for (const name of names) {
    const report = await CASES[name]?.(pace)
    if (!report) continue
    reports.push(report)
    console.log(renderReport(report))
  }
  if (soak !== undefined) {
    const report = await runSoak(soak)
    reports.push(report)
    console.log(`\n${renderReport(report)}`)
  }
  const valid = reports.every(({ problems }) => problems.length === 0)
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
