import { InvalidArgumentError, type Command } from 'commander'
import type { Reconciliation } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import { formatTime } from './print-table.ts'

const MOST_DAYS = 399

export function addPaymentsCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'payments', {
    summary: "Hold the provider's payments against the books",
    example: 'parley payments reconcile --days 7',
  })
  addDataCommand(group, 'reconcile', {
    summary: "Compare the provider's payments with the books; exit code 1 if they differ",
    example: 'parley payments reconcile --days 7',
  })
    .option('--days <number>', `how far back, 1 to ${MOST_DAYS} days (default: 30)`, parseDays)
    .action(async ({ json, days }: JsonOption & { days?: string }) => {
      const client = createOperatorClient(io)
      const found = await client.get<Reconciliation>('/payments/reconcile', { days })
      printReply(io, { json }, found, () => io.stdout.write(describe(found)))
      if (found.ok) return
      throw new CommandError(
        'Provider and books do not agree. Look at each: parley topup show <id>, and the provider.',
      )
    })
}

function describe({ ok, since, differences }: Reconciliation): string {
  if (ok) return `Provider and books agree since ${formatTime(since)}.\n`
  return differences.map(({ sentence }) => `${sentence}\n`).join('')
}

function parseDays(text: string): string {
  const days = Number(text)
  if (/^\d+$/.test(text) && days >= 1 && days <= MOST_DAYS) return String(days)
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_DAYS}.`)
}
