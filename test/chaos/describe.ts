import type { Failure, RoundWish } from './run-rounds.ts'
import type { StoreWish } from './stage.ts'
import type { RoundReport } from './run-round.ts'

const MAX_VIOLATIONS = 20

export function describeRound(report: RoundReport): string {
  const { plan, requests, replies, charges, keptBytes, floorBytes, durationMs } = report
  const faults = plan.faults.map(({ name }) => name).join(', ')
  const figures = [
    `${requests} requests`,
    `${replies} replies`,
    `${charges} charges`,
    `${inMiB(keptBytes)} MiB kept of a floor of ${inMiB(floorBytes)}`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ]
  const skipped = report.skipped.map((what) => `\n  skipped ${what}`).join('')
  return `seed ${plan.seed}: ${faults}\n  ${figures.join(', ')}${skipped}`
}

function inMiB(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}

export function describeFailure(failure: Failure, store?: StoreWish): string {
  const { wish, violations, complaints } = failure
  const more = violations.length - MAX_VIOLATIONS
  return [
    `seed ${wish.seed} has failed:`,
    ...violations.slice(0, MAX_VIOLATIONS).map((violation) => `  - ${violation}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(complaints.length > 0 ? ['the service said last:', ...complaints.slice(-8)] : []),
    `again: ${writeCommand(wish, store)}`,
  ].join('\n')
}

/** The command that holds the same round again. */
export function writeCommand({ seed, only }: RoundWish, store?: StoreWish): string {
  const names = only.length > 0 ? ` --only ${only.join(',')}` : ''
  const { engine, replicas = 1 } = store ?? { engine: 'sqlite' }
  const where = engine === 'sqlite' ? '' : ` --store ${engine} --replicas ${replicas}`
  return `node test/chaos/main.ts --rounds 1 --seed ${seed}${names}${where}`
}
