/** What a case found out. */
export interface Report {
  readonly title: string
  readonly tables: readonly Table[]
  /** Sentences that belong to the figures. */
  readonly notes: readonly string[]
  /** What makes the figures void, a sentence each. */
  readonly problems: readonly string[]
  /** Stands beside the figures on the page. */
  readonly picture?: Picture
}

export interface Picture {
  /** Its name in `docs/images`. */
  readonly file: string
  readonly svg: string
}

export interface Table {
  readonly columns: readonly string[]
  /** The first cell names the row; the others are figures, and stand to the right. */
  readonly rows: readonly (readonly string[])[]
}

/** How long the cases measure: their figures are medians over this many rounds. */
export interface Pace {
  readonly rounds: number
  readonly roundMs: number
}

/** As Markdown, which is as readable in a terminal as on a page. */
export function renderReport({ title, tables, notes, problems }: Report): string {
  const blocks = [
    `### ${title}`,
    ...tables.map(renderTable),
    ...notes,
    ...problems.map((problem) => `**Void:** ${problem}`),
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderTable({ columns, rows }: Table): string {
  const widths = columns.map((column, place) =>
    Math.max(3, column.length, ...rows.map((row) => row[place]?.length ?? 0)),
  )
  const writeRow = (cells: readonly string[]) =>
    `| ${widths.map((width, place) => pad(cells[place] ?? '', width, place)).join(' | ')} |`
  const rule = widths.map((width, place) => (place === 0 ? '-'.repeat(width) : ruleRight(width)))
  return [writeRow(columns), `| ${rule.join(' | ')} |`, ...rows.map(writeRow)].join('\n')
}

function pad(text: string, width: number, place: number): string {
  return place === 0 ? text.padEnd(width) : text.padStart(width)
}

function ruleRight(width: number): string {
  return `${'-'.repeat(width - 1)}:`
}
