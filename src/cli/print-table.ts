import type { Output } from './command-io.ts'

/** One figure of a row: its name, what it is, and where it is found. */
export interface Column<Row> {
  readonly title: string
  /** Text when left out. Times are in Unix milliseconds, euros in the API's decimal strings. */
  readonly kind?: 'count' | 'euros' | 'time'
  read(row: Row): Cell
}

export type Cell = string | number | boolean | null

/** Writes a header and one line a row, figures to the right; or the sentence where there is no row. */
export function printTable<Row>(
  output: Output,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  sentenceIfEmpty: string,
): void {
  if (rows.length === 0) {
    output.write(`${sentenceIfEmpty}\n`)
    return
  }
  const texts = columns.map((column) => layOut(column, rows))
  const lines = [undefined, ...rows].map((_row, index) =>
    texts
      .map((column) => column[index] ?? '')
      .join('  ')
      .trimEnd(),
  )
  output.write(`${lines.join('\n')}\n`)
}

/** Writes a line for each figure of one row: `name  value`. */
export function printRecord<Row>(output: Output, columns: readonly Column<Row>[], row: Row): void {
  const width = Math.max(...columns.map(({ title }) => lengthOf(title)))
  for (const column of columns) {
    const text = formatCell(column, row)
    const unit = column.kind === 'euros' && column.read(row) !== null ? ' €' : ''
    output.write(`${column.title.padEnd(width)}  ${text}${unit}\n`)
  }
}

export function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')
}

const graphemes = new Intl.Segmenter('en')

/** A column's header and cells, all of one width. */
function layOut<Row>(column: Column<Row>, rows: readonly Row[]): string[] {
  const title = column.kind === 'euros' ? `${column.title} €` : column.title
  const cells = rows.map((row) => formatCell(column, row))
  const texts = [title.toUpperCase(), ...(column.kind === 'euros' ? alignDecimals(cells) : cells)]
  const width = Math.max(...texts.map(lengthOf))
  const isFigure = column.kind === 'euros' || column.kind === 'count'
  return texts.map((text) => {
    const space = ' '.repeat(width - lengthOf(text))
    return isFigure ? space + text : text + space
  })
}

/** Gives all amounts as many decimals as the longest has, so that they can be compared at sight. */
function alignDecimals(amounts: readonly string[]): string[] {
  const decimals = Math.max(...amounts.map((amount) => decimalsOf(amount).length))
  return amounts.map((amount) =>
    amount.includes('.') ? amount + '0'.repeat(decimals - decimalsOf(amount).length) : amount,
  )
}

function decimalsOf(amount: string): string {
  return amount.split('.')[1] ?? ''
}

function formatCell<Row>(column: Column<Row>, row: Row): string {
  const value = column.read(row)
  if (value === null || value === '') return '-'
  if (column.kind === 'time' && typeof value === 'number') return formatTime(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  // Names come from people: what would move the cursor or colour the terminal is taken out.
  return String(value).replaceAll(/\p{Cc}/gu, '�')
}

function lengthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  return Array.from(graphemes.segment(text)).length
}
