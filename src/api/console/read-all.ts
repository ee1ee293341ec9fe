/** More rows at once would be no faster. */
const PAGE = 500

/** A list from its first row to its last, read a page at a time. */
export async function* readAll<Row, Place>(
  readPage: (place: Place | undefined, limit: number) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): AsyncGenerator<Row> {
  let place: Place | undefined
  for (;;) {
    const rows = await readPage(place, PAGE)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    place = placeOf(last)
  }
}
