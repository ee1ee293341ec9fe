import { InvalidArgumentError, type Command } from 'commander'
import type { CommandIo } from './command-io.ts'
import type { OperatorClient, Query } from './operator-client.ts'

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

/** Says that a list goes on, apart from the list itself, which may go into a pipe. */
export function noteMore({ stderr }: CommandIo, page: Page<unknown>): void {
  if (page.next_cursor !== null) stderr.write('There are more: --all reads all of them.\n')
}

function parseLimit(text: string): string {
  const limit = Number(text)
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MOST_ROWS) return String(limit)
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_ROWS}.`)
}
