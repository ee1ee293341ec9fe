/** A table of a Markdown page, its cells as they are written. */
export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The tables of a page as the formatter writes them: a line a row, a pipe at either end. */
export function readTables(markdown: string): Table[] {
  const blocks = markdown.split(/\n{2,}/).map((block) => block.split('\n'))
  return blocks
    .filter((lines) => lines.every((line) => line.startsWith('|')) && lines.length > 2)
    .map(([header = '', _rule, ...rows]) => ({
      header: readCells(header),
      rows: rows.map((row) => readCells(row)),
    }))
}

function readCells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim())
}

/** What stands first in a cell as code: "PORT" of "`PORT`". */
export function readCode(cell: string | undefined): string {
  return /^`([^`]+)`/.exec(cell ?? '')?.[1] ?? ''
}
