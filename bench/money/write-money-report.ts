import type { Report, Table } from '../report.ts'
import { formatCount, median } from '../statistics.ts'
import type { Reckoning } from './reckon.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'

/** One run of one of them. */
export interface Entry {
  readonly name: string
  readonly scenario: Scenario
  readonly reckoning: Reckoning
}

export interface MoneyFindings {
  readonly rounds: number
  readonly entries: readonly Entry[]
  /** Who could not be had, and why. */
  readonly absent: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}

const TITLES: Readonly<Record<string, string>> = {
  burst: 'a burst of 200, funds for 50',
  kill: 'killed midway, started again',
  leave: 'clients leave midway',
  break: 'the upstream breaks off',
}

/** Counts, and amounts in nano-euros. */
const COLUMNS: readonly (readonly [string, (reckoning: Reckoning) => number])[] = [
  ['ended', ({ whole }) => whole],
  ['cut off', ({ cut }) => cut],
  ['refused', ({ refused }) => refused],
  ['ended, tokens unbilled', ({ unbilledWhole }) => unbilledWhole],
  ['cut off, tokens unbilled', ({ unbilledCut }) => unbilledCut],
  ['billed, not received', ({ overbilled }) => overbilled],
  ['sent, not received', ({ inVain }) => inVain],
  ['charged twice', ({ twice }) => twice],
]
const AMOUNTS: readonly (readonly [string, (reckoning: Reckoning) => number])[] = [
  ['overspent, €', ({ overspentNano }) => overspentNano],
  ['taken beyond bills, €', ({ unexplainedNano }) => unexplainedNano],
]

const NANO_PER_EURO = 1e9

export function writeMoneyReport({ rounds, entries, absent, problems }: MoneyFindings): Report {
  return {
    title: 'money: what is lost when things go wrong',
    tables: SCENARIOS.map((scenario) => writeTable(scenario, entries)),
    notes: [
      `Medians of ${rounds} runs, each with new funds. The upstream sent every token by itself and wrote down that it did.`,
      ...[...absent].map(([name, why]) => `${name} was not run: ${why}.`),
    ],
    problems: [...new Set(problems)],
  }
}

function writeTable({ name: scenarioName }: Scenario, entries: readonly Entry[]): Table {
  const own = entries.filter(({ scenario }) => scenario.name === scenarioName)
  const present = [...new Set(own.map(({ name }) => name))]
  return {
    columns: [
      TITLES[scenarioName] ?? scenarioName,
      ...[...COLUMNS, ...AMOUNTS].map(([column]) => column),
    ],
    rows: present.map((name) => {
      const runs = own.filter((entry) => entry.name === name).map(({ reckoning }) => reckoning)
      return [
        name,
        ...COLUMNS.map(([, of]) => formatCount(median(runs.map(of)))),
        ...AMOUNTS.map(([, of]) => formatEuros(median(runs.map(of)))),
      ]
    }),
  }
}

function formatEuros(nano: number): string {
  return nano === 0 ? '0' : (nano / NANO_PER_EURO).toFixed(4)
}
