import { InvalidArgumentError, type Command } from 'commander'
import type { CommandIo } from './command-io.ts'
import { printReply, type JsonOption } from './data-command.ts'
import type { OperatorClient, Query } from './operator-client.ts'
import { printTable, type Column } from './print-table.ts'

export interface PageOptions {
  readonly limit?: string | undefined
  readonly all?: true | undefined
}

export interface Page<Row> {
  readonly data: Row[]
  readonly next_cursor: string | null
}

const MOST_ROWS = 200

export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <number>', `rows a page, 1 to ${MOST_ROWS} (default: 50)`, parseLimit)
    .option('--all', 'read all pages')
}

/** One page, or with --all the rows of every page as one. */
export async function readPages<Row>(
  client: OperatorClient,
  path: string,
  { limit, all }: PageOptions,
  filter: Query = {},
): Promise<Page<Row>> {
  const query = { ...filter, limit: limit ?? (all && String(MOST_ROWS)) }
  const first = await client.get<Page<Row>>(path, query)
  if (!all) return first
  const data = [...first.data]
  let cursor = first.next_cursor
  while (cursor !== null) {
    const page = await client.get<Page<Row>>(path, { ...query, cursor })
    for (const row of page.data) data.push(row)
    cursor = page.next_cursor
  }
  return { data, next_cursor: null }
}

export interface PageTable<Row> {
  readonly columns: readonly Column<Row>[]
  /** Said where there are no rows. */
  readonly none: string
}

/** A page as a table, or with --json as the API said it. That it goes on is said apart, for a pipe's sake. */
export function printPage<Row>(
  io: CommandIo,
  options: JsonOption,
  page: Page<Row>,
  { columns, none }: PageTable<Row>,
): void {
  printReply(io, options, page, () => {
    printTable(io.stdout, columns, page.data, none)
    if (page.next_cursor !== null) io.stderr.write('There are more: --all reads all of them.\n')
  })
}

function parseLimit(text: string): string {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST_ROWS) return String(limit)
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_ROWS}.`)
}
