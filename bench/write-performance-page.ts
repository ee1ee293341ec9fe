import { readFileSync, writeFileSync } from 'node:fs'
import { renderReport, type Pace, type Report } from './report.ts'
import { sayInPortuguese } from './say-in-portuguese.ts'

const PAGE = new URL('../docs/operate/performance.md', import.meta.url)
const PORTUGUESE_PAGE = new URL('../docs/pt/operate/performance.md', import.meta.url)
const BEGIN = '<!-- bench:begin -->'
const END = '<!-- bench:end -->'

export interface Figures {
  readonly machine: string
  readonly pace: Pace
  readonly reports: readonly Report[]
}

/** Puts the figures between the markers of the page and its twin; what is around is written by hand. */
export function writePerformancePage(figures: Figures): void {
  const rendered = renderFigures(figures)
  writeBetweenMarkers(PAGE, rendered)
  writeBetweenMarkers(PORTUGUESE_PAGE, sayInPortuguese(rendered))
}

/** What stands between the markers of a page: its figures. */
export function readFigures(page: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`)
  return page.slice(begin + BEGIN.length, end)
}

function writeBetweenMarkers(url: URL, figures: string): void {
  const page = readFileSync(url, 'utf8')
  const old = `${BEGIN}${readFigures(page)}${END}`
  writeFileSync(
    url,
    page.replace(old, () => `${BEGIN}\n\n${figures}\n${END}`),
  )
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
