import { once } from 'node:events'
import { InvalidArgumentError, type Command } from 'commander'
import type { LedgerTransfer } from '#api/contract/index.ts'
import type { CommandIo, Output } from './command-io.ts'
import { addExample } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import type { Page } from './read-pages.ts'
import { writeCsvLine } from './write-csv-line.ts'

interface ExportOptions {
  readonly from?: string
  readonly to?: string
}

const PAGE = '200'
/** So many entries between two words of progress. */
const PROGRESS_EVERY = 5_000

const HEADER = ['date', 'kind', 'debit', 'credit', 'account', 'amount_eur', 'reference']

/** A page at a time: however long the books are, one page of them is in memory. */
export function addLedgerExportCommand(group: Command, io: CommandIo): void {
  const command = group
    .command('export')
    .description('Write money in and out, and what each day cost, as CSV for bookkeeping')
    .option(
      '--from <day>',
      'the first UTC day, such as 2026-01-01 (default: the first of all)',
      day,
    )
    .option('--to <day>', 'the last UTC day (default: the last of all)', day)
  addExample(command, 'parley ledger export --from 2026-01-01 --to 2026-12-31 > books.csv')
  command.action(async ({ from, to }: ExportOptions) => {
    const client = createOperatorClient(io)
    await write(io.stdout, writeCsvLine(HEADER))
    let cursor: string | undefined
    let written = 0
    do {
      const query = { from, to, cursor, limit: PAGE }
      const page = await client.get<Page<LedgerTransfer>>('/ledger/transfers', query)
      await write(io.stdout, page.data.map(writeTransfer).join(''))
      const before = written
      written += page.data.length
      if (Math.floor(written / PROGRESS_EVERY) > Math.floor(before / PROGRESS_EVERY)) {
        io.stderr.write(`${written} entries, up to ${page.data.at(-1)?.date}\n`)
      }
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    io.stderr.write(`Wrote ${written} entries.\n`)
  })
}

function writeTransfer(transfer: LedgerTransfer): string {
  const { date, kind, debit, credit, account_id: account, reference } = transfer
  return writeCsvLine([
    date,
    kind,
    debit,
    credit,
    account ?? '',
    { amount: transfer.amount_eur },
    reference,
  ])
}

/** Waits for who reads, so that what they have not read yet does not gather here. */
async function write(output: Output, text: string): Promise<void> {
  if (!output.write(text)) await once(output, 'drain')
}

function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new InvalidArgumentError('Give a day such as 2026-11-21.')
}
