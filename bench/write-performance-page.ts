import { readFileSync, writeFileSync } from 'node:fs'
import { renderReport, type Pace, type Report } from './report.ts'
import { sayInPortuguese } from './say-in-portuguese.ts'

const PAGE = new URL('../docs/operate/performance.md', import.meta.url)
const PORTUGUESE_PAGE = new URL('../docs/pt/operate/performance.md', import.meta.url)
const IMAGES = new URL('../docs/images/', import.meta.url)

/** A part of the page that is written by the bench, between markers of its name. */
export interface Section {
  readonly name: string
  /** Whose figures it has: all of them, or it would lose some. */
  readonly cases: readonly string[]
  /** What writes it. */
  readonly command: string
  /** False where nothing is timed, and its report says over what its medians are taken. */
  readonly isTimed: boolean
}

export const SECTIONS: readonly Section[] = [
  {
    name: 'figures',
    cases: ['chat', 'charge', 'gate', 'estimate'],
    command: 'npm run bench -- --out',
    isTimed: true,
  },
  { name: 'peers', cases: ['peers'], command: 'npm run bench -- peers --out', isTimed: true },
  { name: 'money', cases: ['money'], command: 'npm run bench -- money --out', isTimed: false },
]

export interface Figures {
  readonly machine: string
  readonly pace: Pace
  /** By the name of the case. */
  readonly reports: ReadonlyMap<string, Report>
}

/** Puts the figures between the markers of the page and its twin; what is around is written by hand. */
export function writePerformancePage(figures: Figures): void {
  for (const section of SECTIONS) {
    const reports = section.cases.flatMap((name) => figures.reports.get(name) ?? [])
    if (reports.length < section.cases.length) continue
    const rendered = renderFigures(section, figures, reports)
    writeBetweenMarkers(PAGE, section.name, rendered)
    writeBetweenMarkers(PORTUGUESE_PAGE, section.name, sayInPortuguese(rendered))
    for (const { picture } of reports) {
      if (picture) writeFileSync(new URL(picture.file, IMAGES), picture.svg)
    }
  }
}

/** What stands between the markers of a page: the figures of one section. */
export function readFigures(page: string, section: string): string {
  const [begin, end] = markersOf(section)
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page lacks ${begin} or ${end}`)
  return page.slice(from + begin.length, to)
}

function markersOf(section: string): readonly [begin: string, end: string] {
  return [`<!-- bench:${section}:begin -->`, `<!-- bench:${section}:end -->`]
}

function writeBetweenMarkers(url: URL, section: string, figures: string): void {
  const page = readFileSync(url, 'utf8')
  const [begin, end] = markersOf(section)
  const old = `${begin}${readFigures(page, section)}${end}`
  writeFileSync(
    url,
    page.replace(old, () => `${begin}\n\n${figures}\n${end}`),
  )
}

function renderFigures(
  { command, isTimed }: Section,
  { machine, pace }: Figures,
  reports: readonly Report[],
): string {
  const day = new Date().toISOString().slice(0, 10)
  const over =
    `: medians over ${pace.rounds} rounds of ${pace.roundMs / 1000} s, ` +
    'with half their range as ± or the range in brackets'
  const made = `Made on ${day} by \`${command}\`${isTimed ? over : ''}.`
  return [made, machine, ...reports.map((report) => renderReport(report).trimEnd())]
    .join('\n\n')
    .concat('\n')
}
