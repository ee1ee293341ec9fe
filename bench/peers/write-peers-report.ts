import { drawBars, type Panel } from '../draw-bars.ts'
import type { Report, Table } from '../report.ts'
import { formatCount, formatSpread, median } from '../statistics.ts'
import type { Entrant, Round } from './peers.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { PAUSES_MS } from './workloads.ts'

export interface PeersFindings {
  readonly entrants: readonly Entrant[]
  /** Who could not be had, and why. */
  readonly absent: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

const NONE = '–'
const DIRECT = 'direct'

export function writePeersReport({ entrants, absent, problems }: PeersFindings): Report {
  const streamed = SETTINGS.filter(({ workload }) => workload.isStream)
  const served = SETTINGS.filter(({ statuses }) => statuses[0] === 200)
  const write = (what: string, settings: readonly Setting[], of: Figure) =>
    writeTable(what, entrants, settings, of)
  return {
    title: 'peers: the same load through each',
    tables: [
      write('replies a second', SETTINGS, rateOf),
      writeRatios(entrants),
      write('CPU µs each', SETTINGS, cpuOf),
      write('added p50 / p99, ms', served, addedOf),
      write('added to the first byte p50, ms', served, addedFirstByteOf),
      write('a chunk on its way p50 / p99, ms', streamed, chunkOf),
      write('resident, MiB', SETTINGS, residentOf),
      writeStarts(entrants),
    ],
    notes: [
      ...[...absent].map(([name, why]) => `${name} was not run: ${why}.`),
      ...entrants.flatMap(({ name, failures }) =>
        [...failures].map(([setting, why]) => `${name}, ${setting}: no figures, for ${why}.`),
      ),
    ],
    problems,
    picture: {
      file: 'peers.svg',
      svg: drawBars(rateSettings().map((of) => panelOf(of, entrants))),
    },
  }
}

/** Of a stream with pauses the rate is the upstream's, and of a refusal nobody is asked but us. */
function rateSettings(): readonly Setting[] {
  return SETTINGS.filter(({ statuses, workload: { isStream, model } }) => {
    const isPaced = isStream && PAUSES_MS[model] > 0
    return statuses[0] === 200 && !isPaced
  })
}

function panelOf({ name }: Setting, entrants: readonly Entrant[]): Panel {
  const bars = entrants
    // Nobody stands before the upstream there: it would dwarf all who do.
    .filter((entrant) => entrant.name !== DIRECT)
    .map((entrant) => {
      const value = median(ratesOf(entrant, name))
      const text = formatFigure(value, 0)
      return { name: entrant.name, value, text, isOurs: isOurs(entrant.name) }
    })
  return { title: name, bars }
}

/** A cell of who was measured so; `direct` has the rounds at the same places. */
type Figure = (rounds: readonly Round[], direct: readonly Round[]) => string

function writeTable(
  what: string,
  entrants: readonly Entrant[],
  settings: readonly Setting[],
  figure: Figure,
): Table {
  const direct = entrants.find(({ name }) => name === DIRECT)
  return {
    columns: [what, ...entrants.map(({ name }) => name)],
    rows: settings.map(({ name }) => [
      name,
      ...entrants.map(({ rounds, failures }) => {
        const found = rounds.get(name)
        const isMissing = !found || failures.has(name)
        return isMissing ? NONE : figure(found, direct?.rounds.get(name) ?? [])
      }),
    ]),
  }
}

function rateOf(rounds: readonly Round[]): string {
  const rates = rounds.map(perSecond)
  return `${formatCount(median(rates))} ${formatSpread(rates)}`
}

/** How many times as many replies ours gives, of rounds side by side: what holds from machine to machine. */
function writeRatios(entrants: readonly Entrant[]): Table {
  const ours = entrants.find(({ name }) => isOurs(name))
  const others = entrants.filter(({ name }) => name !== DIRECT && !isOurs(name))
  return {
    columns: [
      `${ours?.name ?? 'Parley'}: times as many replies`,
      ...others.map(({ name }) => name),
    ],
    rows: rateSettings().map(({ name }) => [
      name,
      ...others.map((other) => {
        const beside = ratesOf(other, name)
        const ratios = (ours ? ratesOf(ours, name) : []).map((rate, place) => {
          return rate / (beside[place] ?? NaN)
        })
        return formatFigure(median(ratios), 1)
      }),
    ]),
  }
}

function isOurs(name: string): boolean {
  return name.startsWith('Parley')
}

/** A round each; none where it failed. */
function ratesOf({ rounds, failures }: Entrant, setting: string): number[] {
  return failures.has(setting) ? [] : (rounds.get(setting) ?? []).map(perSecond)
}

function cpuOf(rounds: readonly Round[]): string {
  return formatFigure(median(rounds.map(({ cpuMs, replies }) => (1_000 * cpuMs) / replies)), 0)
}

function addedOf(rounds: readonly Round[], direct: readonly Round[]): string {
  const added = (of: (round: Round) => number): string =>
    formatFigure(median(pair(rounds, direct, of)), 2)
  return `${added(({ p50Ms }) => p50Ms)} / ${added(({ p99Ms }) => p99Ms)}`
}

function addedFirstByteOf(rounds: readonly Round[], direct: readonly Round[]): string {
  return formatFigure(median(pair(rounds, direct, ({ firstByteP50Ms }) => firstByteP50Ms)), 2)
}

function chunkOf(rounds: readonly Round[]): string {
  const of = (pick: (round: Round) => number): string => formatFigure(median(rounds.map(pick)), 2)
  return `${of(({ chunkP50Ms }) => chunkP50Ms)} / ${of(({ chunkP99Ms }) => chunkP99Ms)}`
}

function residentOf(rounds: readonly Round[]): string {
  return formatFigure(Math.max(...rounds.map(({ residentMiB }) => residentMiB)), 0)
}

function writeStarts(entrants: readonly Entrant[]): Table {
  const started = entrants.filter(({ running }) => running.startMs !== undefined)
  return {
    columns: ['start to first answer', 'ms'],
    rows: started.map(({ name, running }) => [name, formatFigure(running.startMs ?? NaN, 0)]),
  }
}

/** How much more it is than the direct way of the same round. */
function pair(
  rounds: readonly Round[],
  direct: readonly Round[],
  of: (round: Round) => number,
): number[] {
  return rounds.map((round, place) => {
    const beside = direct[place]
    return of(round) - (beside ? of(beside) : NaN)
  })
}

function perSecond({ replies, elapsedMs }: Round): number {
  return (1_000 * replies) / elapsedMs
}

function formatFigure(value: number, decimals: number): string {
  if (Number.isNaN(value)) return NONE
  return decimals === 0 ? formatCount(value) : value.toFixed(decimals)
}
