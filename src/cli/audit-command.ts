import type { Command } from 'commander'
import type { AuditEntry } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, type JsonOption } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import type { Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

const columns: readonly Column<AuditEntry>[] = [
  { title: 'time', kind: 'time', read: ({ at }) => at },
  { title: 'actor', read: ({ actor }) => actor },
  { title: 'action', read: ({ action }) => action },
  { title: 'account', read: (entry) => entry.account_id },
  { title: 'details', read: ({ details }) => describeDetails(details) },
]

export function addAuditCommand(program: Command, io: CommandIo): void {
  const command = addDataCommand(program, 'audit', {
    summary: 'List who did what, newest first',
    example: 'parley audit --limit 10',
  })
  addPageOptions(command).action(async (options: JsonOption & PageOptions) => {
    const page = await readPages<AuditEntry>(createOperatorClient(io), '/audit', options)
    printPage(io, options, page, { columns, none: 'Nothing has been done yet.' })
  })
}

/** `kind=deposit amount_eur=20.00`; text with spaces in it stands in quotes. */
function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${describeValue(value)}`)
    .join(' ')
}

function describeValue(value: unknown): string {
  return typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value)
}
