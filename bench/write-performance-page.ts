import { readFileSync, writeFileSync } from 'node:fs'
import { renderReport, type Pace, type Report } from './report.ts'

const PAGE = new URL('../docs/operate/performance.md', import.meta.url)
const BEGIN = '<!-- bench:begin -->'
const END = '<!-- bench:end -->'

export interface Figures {
  readonly machine: string
  readonly pace: Pace
  readonly reports: readonly Report[]
}

/** Puts the figures between the page's markers; what is around them is written by hand. */
export function writePerformancePage(figures: Figures): void {
  const page = readFileSync(PAGE, 'utf8')
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`${PAGE.pathname} lacks its markers`)
  const before = page.slice(0, begin + BEGIN.length)
  writeFileSync(PAGE, `${before}\n\n${renderFigures(figures)}\n${page.slice(end)}`)
}

function renderFigures({ machine, pace, reports }: Figures): string {
  const day = new Date().toISOString().slice(0, 10)
  const made =
    `Made on ${day} by \`npm run bench -- --out\`: medians over ${pace.rounds} rounds of ` +
    `${pace.roundMs / 1000} s, with half their range as ± or the range in brackets.`
  return [made, machine, ...reports.map((report) => renderReport(report).trimEnd())]
    .join('\n\n')
    .concat('\n')
}
