import { Option, type Command } from 'commander'
import type { Credit } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, parseAmount, printReply, type JsonOption } from './data-command.ts'
import { findAccountPath } from './find-account.ts'
import { createOperatorClient } from './operator-client.ts'
import { printRecord, type Column } from './print-table.ts'

interface CreditOptions extends JsonOption {
  readonly kind: string
  readonly reference: string
}

const columns: readonly Column<Credit>[] = [
  { title: 'account', read: (credit) => credit.account_id },
  { title: 'kind', read: ({ kind }) => kind },
  { title: 'amount', kind: 'euros', read: (credit) => credit.amount_eur },
  { title: 'reference', read: ({ reference }) => reference },
  { title: 'booked', kind: 'time', read: (credit) => credit.created_at },
]

export function addCreditCommand(program: Command, io: CommandIo): void {
  addDataCommand(program, 'credit', {
    summary: 'Book a deposit (paid) or a grant (given), once for each reference',
    example: 'parley credit ada@example.com 20.00 --kind deposit --reference invoice-1815',
  })
    .argument('<account>', 'id or e-mail address')
    .argument('<amount>', 'in euros', parseAmount)
    .addOption(
      new Option('--kind <kind>', 'a deposit counts toward the tier for good')
        .choices(['deposit', 'grant'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reference <text>', 'unique in the whole service; repeated, it books nothing')
    .action(async (account: string, amount: string, options: CreditOptions) => {
      const { kind, reference } = options
      const client = createOperatorClient(io)
      const path = `${await findAccountPath(client, account)}/credits`
      const body = { kind, amount_eur: amount, reference }
      const { status, reply } = await client.send<Credit>('POST', path, body)
      printReply(io, options, reply, () => {
        printRecord(io.stdout, columns, reply)
        if (status === 200) {
          io.stderr.write('This credit had been booked before: nothing was booked now.\n')
        }
      })
    })
}
