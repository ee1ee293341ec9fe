import type { Command } from 'commander'
import type { Verification } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { addLedgerExportCommand } from './ledger-export-command.ts'
import { createOperatorClient } from './operator-client.ts'
import { parseTimeMs } from './parse-time.ts'
import { showWaiting } from './show-waiting.ts'

export function addLedgerCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'ledger', {
    summary: 'Look after the books',
    example: 'parley ledger verify',
  })
  addDataCommand(group, 'verify', {
    summary: 'Add up the books from their entries; exit code 1 if they do not agree',
    example: 'parley ledger verify --timeout 10m',
  })
    .option('--timeout <time>', 'give up after so long (default: as long as it takes)', parseTimeMs)
    .action((options: VerifyOptions) => verify(io, options))
  addLedgerExportCommand(group, io)
}

interface VerifyOptions extends JsonOption {
  readonly timeout?: number
}

async function verify(io: CommandIo, options: VerifyOptions): Promise<void> {
  const endProgress = showWaiting(io.stderr, 'Adding up the books')
  const client = createOperatorClient(io)
  const found = await client
    .get<Verification>('/ledger/verify', {}, options.timeout ?? 'any')
    .finally(endProgress)
  printReply(io, options, found, () => io.stdout.write(describe(found)))
  if (!found.ok) throw new CommandError('The books do not add up. Keep a copy of the store.')
}

function describe({ ok, transfers, accounts, discrepancies }: Verification): string {
  if (ok) return `The books add up (transfers: ${transfers}, accounts: ${accounts}).\n`
  return `${discrepancies.join('\n')}\n`
}
