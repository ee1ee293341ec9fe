import type { Command } from 'commander'
import type { Verification } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { addLedgerExportCommand } from './ledger-export-command.ts'
import { createOperatorClient } from './operator-client.ts'

export function addLedgerCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'ledger', {
    summary: 'Look after the books',
    example: 'parley ledger verify',
  })
  addDataCommand(group, 'verify', {
    summary: 'Add up the books from their entries; exit code 1 if they do not agree',
    example: 'parley ledger verify',
  }).action(async (options: JsonOption) => {
    const found = await createOperatorClient(io).get<Verification>('/ledger/verify')
    printReply(io, options, found, () => io.stdout.write(describe(found)))
    if (!found.ok) throw new CommandError('The books do not add up. Keep a copy of the store.')
  })
  addLedgerExportCommand(group, io)
}

function describe({ ok, transfers, accounts, discrepancies }: Verification): string {
  if (ok) return `The books add up (transfers: ${transfers}, accounts: ${accounts}).\n`
  return `${discrepancies.join('\n')}\n`
}
