import { InvalidArgumentError, type Command } from 'commander'
import type { BillingDocument, OpenedTopup, Topup } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import {
  addDataCommand,
  addGroup,
  parseAmount,
  printReply,
  type JsonOption,
} from './data-command.ts'
import { findAccountId, findAccountPath } from './find-account.ts'
import { createOperatorClient } from './operator-client.ts'
import { printRecord, printTable, type Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

const columns: readonly Column<Topup>[] = [
  { title: 'id', read: ({ id }) => id },
  { title: 'account', read: (topup) => topup.account_id },
  { title: 'amount', kind: 'euros', read: (topup) => topup.amount_eur },
  { title: 'state', read: ({ state }) => state },
  { title: 'refunded', kind: 'euros', read: (topup) => topup.refunded_eur },
  { title: 'dispute', read: ({ dispute }) => dispute },
  { title: 'provider', read: ({ provider }) => provider },
  { title: 'test', read: ({ test }) => test },
  { title: 'created', kind: 'time', read: (topup) => topup.created_at },
  { title: 'paid', kind: 'time', read: (topup) => topup.paid_at },
]

const documentColumns: readonly Column<BillingDocument>[] = [
  { title: 'number', read: ({ number }) => number },
  { title: 'kind', read: ({ kind }) => kind },
  { title: 'amount', kind: 'euros', read: (document) => document.amount_eur },
  { title: 'net', kind: 'euros', read: (document) => document.net_eur },
  { title: 'tax', kind: 'euros', read: (document) => document.tax_eur },
  { title: 'issued', kind: 'time', read: (document) => document.issued_at },
]

const EXAMPLE_ID = 'top_019e3a52c1f07a30b1c5d2e8f4a96b70'

export function addTopupCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'topup', {
    summary: 'Open, list and refund top-ups',
    example: 'parley topup list --account ada@example.com',
  })
  addCreate(group, io)
  addList(group, io)
  addShow(group, io)
  addRefund(group, io)
}

function addCreate(group: Command, io: CommandIo): void {
  addDataCommand(group, 'create', {
    summary: 'Open a checkout: whoever has its address can pay',
    example: 'parley topup create ada@example.com 20',
  })
    .argument('<account>', 'id or e-mail address')
    .argument('<amount>', 'in euros: 10, 20, 50 or 100', parseTopupAmount)
    .action(async (account: string, amount: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const path = `${await findAccountPath(client, account)}/topups`
      const { reply } = await client.send<OpenedTopup>('POST', path, { amount_eur: amount })
      printReply(io, options, reply, () => {
        io.stdout.write(`${reply.checkout_url}\n`)
        const test = reply.test ? ' It is test money: nothing is really paid.' : ''
        io.stderr.write(`Top-up ${reply.id}: ${reply.amount_eur} € are paid there.${test}\n`)
      })
    })
}

function addList(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'list', {
    summary: 'List top-ups, newest first',
    example: 'parley topup list --account ada@example.com',
  }).option('--account <account>', 'only those of this account: id or e-mail address')
  addPageOptions(command).action(
    async (options: JsonOption & PageOptions & { account?: string }) => {
      const client = createOperatorClient(io)
      const { account } = options
      const filter = { account_id: account && (await findAccountId(client, account)) }
      const page = await readPages<Topup>(client, '/topups', options, filter)
      printPage(io, options, page, { columns, none: 'No top-ups.' })
    },
  )
}

function addShow(group: Command, io: CommandIo): void {
  addDataCommand(group, 'show', {
    summary: 'Show one top-up with its receipt and credit notes',
    example: `parley topup show ${EXAMPLE_ID}`,
  })
    .argument('<topup>', 'its id')
    .action(async (topupId: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const path = pathOf(topupId)
      const topup = await client.get<Topup>(path)
      const { data: documents } = await client.get<{ data: BillingDocument[] }>(`${path}/documents`)
      printReply(io, options, { ...topup, documents }, () => {
        printRecord(io.stdout, columns, topup)
        io.stdout.write('\n')
        printTable(io.stdout, documentColumns, documents, 'Nothing has been issued for it.')
      })
    })
}

function addRefund(group: Command, io: CommandIo): void {
  addDataCommand(group, 'refund', {
    summary: 'Ask the provider to give money back; the books follow when it has',
    example: `parley topup refund ${EXAMPLE_ID} 5.00 --reference ticket-1815`,
  })
    .argument('<topup>', 'its id')
    .argument('<amount>', 'in euros, at most what is left of it', parseAmount)
    .requiredOption('--reference <text>', 'repeated, it gives nothing back a second time')
    .action(
      async (topupId: string, amount: string, options: JsonOption & { reference: string }) => {
        const body = { amount_eur: amount, reference: options.reference }
        const client = createOperatorClient(io)
        const { reply } = await client.send<Topup>('POST', `${pathOf(topupId)}/refunds`, body)
        printReply(io, options, reply, () => {
          printRecord(io.stdout, columns, reply)
          io.stderr.write('Asked for: it is in the books once the provider says that it is done.\n')
        })
      },
    )
}

function pathOf(topupId: string): string {
  return `/topups/${encodeURIComponent(topupId)}`
}

/** The API writes amounts with decimals, people mostly without. */
function parseTopupAmount(text: string): string {
  const [, euros] = /^(10|20|50|100)(?:\.0{1,2})?$/.exec(text) ?? []
  if (euros !== undefined) return `${euros}.00`
  throw new InvalidArgumentError('Give 10, 20, 50 or 100.')
}
