/** How a list is asked for: both as text, as queries come. */
export interface PageQuery {
  readonly cursor?: string
  readonly limit?: string
}

const DEFAULT_LIMIT = 50

export function readPage(query: PageQuery): { before: string | undefined; limit: number } {
  return { before: query.cursor, limit: Number(query.limit ?? DEFAULT_LIMIT) }
}

/** Takes one row more than a page has, to know whether there is another page. */
export function writePage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { data: Row[]; next_cursor: string | null } {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? cursorOf(last) : null }
}
