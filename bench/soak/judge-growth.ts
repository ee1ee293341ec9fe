import { median } from '../statistics.ts'
import type { Sample } from './probe.ts'

/** A sample, and what a request cost in the leg before it. */
export interface LegSample extends Sample {
  /** Of all threads of the service; NaN where the system does not tell. */
  readonly cpuMsEach: number
}

/** One figure of the samples. */
export interface Measure {
  readonly name: string
  readonly of: (sample: LegSample) => number
  readonly decimals: number
}

/** How far a figure may be above where it began and still be called flat. */
interface Limit {
  readonly measure: Measure
  /** What stands for a quarter's samples. */
  readonly take: (figures: readonly number[]) => number
  /** As a factor, and in addition: the noise of a small figure is no growth. */
  readonly factor: number
  readonly slack: number
}

const heap: Measure = { name: 'heap, MiB', of: ({ heapMiB }) => heapMiB, decimals: 1 }
const outside: Measure = { name: 'outside, MiB', of: (sample) => sample.externalMiB, decimals: 1 }
const resident: Measure = { name: 'resident, MiB', of: (one) => one.residentMiB, decimals: 0 }
const handles: Measure = { name: 'handles', of: (sample) => sample.handles, decimals: 0 }
const descriptors: Measure = { name: 'descriptors', of: (one) => one.descriptors, decimals: 0 }
const cpu: Measure = { name: 'CPU ms each', of: ({ cpuMsEach }) => cpuMsEach, decimals: 3 }
const delay: Measure = { name: 'delay p99, ms', of: ({ delayP99Ms }) => delayP99Ms, decimals: 1 }

export const MEASURES = [heap, outside, resident, handles, descriptors, cpu, delay]

const least = (figures: readonly number[]): number => Math.min(...figures)

const LIMITS: readonly Limit[] = [
  { measure: heap, take: median, factor: 1.05, slack: 2 },
  { measure: outside, take: median, factor: 1.05, slack: 4 },
  { measure: resident, take: median, factor: 1.1, slack: 16 },
  { measure: handles, take: median, factor: 1, slack: 8 },
  { measure: descriptors, take: median, factor: 1, slack: 8 },
  { measure: cpu, take: median, factor: 1.2, slack: 0.02 },
  // Whatever else the machine does adds to a delay, and nothing takes away from it.
  {
    measure: { ...delay, name: 'delay p99, ms, least' },
    take: least,
    factor: 1.5,
    slack: 5,
  },
  // For the reader alone: it tells as much of the machine as of the service.
  { measure: delay, take: median, factor: Infinity, slack: 0 },
]

export interface Growth {
  readonly measure: Measure
  readonly first: number
  readonly last: number
  readonly most: number
  readonly isFlat: boolean
}

/** Compares the first quarter with the last: one odd sample decides nothing. */
export function judgeGrowth(samples: readonly LegSample[]): Growth[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4))
  return LIMITS.map(({ measure, take, factor, slack }) => {
    const first = take(samples.slice(0, quarter).map(measure.of))
    const last = take(samples.slice(-quarter).map(measure.of))
    const most = first * factor + slack
    // Where there is no figure there is no growth to be seen.
    return { measure, first, last, most, isFlat: !(last > most) }
  })
}
