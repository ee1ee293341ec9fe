/** Text, or an amount, which stays the number that it is. */
export type CsvCell = string | { readonly amount: string }

/** One line as RFC 4180 has it, with its end; the command writes them alike (src/cli/write-csv-line.ts). */
export function writeCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return cell.amount
  // Spreadsheets take such a text for a formula, and do what it says: an apostrophe makes it text.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
