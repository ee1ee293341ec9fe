import type { Command } from 'commander'
import type { Receipt } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, type JsonOption } from './data-command.ts'
import { findAccountPath } from './find-account.ts'
import { createOperatorClient } from './operator-client.ts'
import type { Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

/** The fields that a person reads down; --json has the others. */
const columns: readonly Column<Receipt>[] = [
  { title: 'time', kind: 'time', read: (receipt) => receipt.created_at },
  { title: 'brand', read: ({ brand }) => brand },
  { title: 'prompt', kind: 'count', read: (receipt) => receipt.prompt_tokens },
  { title: 'completion', kind: 'count', read: (receipt) => receipt.completion_tokens },
  { title: 'tokens by', read: (receipt) => receipt.usage_source },
  { title: 'cost', kind: 'euros', read: (receipt) => receipt.cost_eur },
  { title: 'written off', kind: 'euros', read: (receipt) => receipt.written_off_eur },
  { title: 'ended', read: ({ ended }) => ended },
  { title: 'finish', read: (receipt) => receipt.finish_reason },
  { title: 'first ms', kind: 'count', read: (receipt) => receipt.first_token_ms },
  { title: 'ms', kind: 'count', read: (receipt) => receipt.duration_ms },
  { title: 'request', read: (receipt) => receipt.request_id },
]

export function addReceiptsCommand(program: Command, io: CommandIo): void {
  const command = addDataCommand(program, 'receipts', {
    summary: "List an account's receipts, newest first",
    example: 'parley receipts ada@example.com --limit 10',
  }).argument('<account>', 'id or e-mail address')
  addPageOptions(command).action(async (account: string, options: JsonOption & PageOptions) => {
    const client = createOperatorClient(io)
    const path = `${await findAccountPath(client, account)}/receipts`
    const page = await readPages<Receipt>(client, path, options)
    printPage(io, options, page, { columns, none: 'This account has no receipts.' })
  })
}
