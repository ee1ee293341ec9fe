/** A table as other programs read it (RFC 4180): a line for its header and one for each row. */
export function writeCsv(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [header, ...rows].map((row) => `${row.map(writeCell).join(',')}\r\n`).join('')
}

function writeCell(cell: string | number): string {
  const text = defuse(String(cell))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Spreadsheets run texts that begin so as formulas; figures with a sign stay the figures they are. */
function defuse(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
}
