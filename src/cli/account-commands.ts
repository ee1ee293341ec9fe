import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Account, MemberItem } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import {
  addDataCommand,
  addGroup,
  parseCeiling,
  printReply,
  type JsonOption,
} from './data-command.ts'
import { findAccountPath } from './find-account.ts'
import { createOperatorClient } from './operator-client.ts'
import { printRecord, type Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type Page, type PageOptions } from './read-pages.ts'

interface ChangeOptions extends JsonOption {
  readonly minTier?: number
  readonly plan?: string
  readonly ceiling?: string
  readonly suspend?: true
  readonly resume?: true
}

/** What a person looks for in a list; `account show` and --json have the rest. */
const listColumns: readonly Column<Account>[] = [
  { title: 'id', read: ({ id }) => id },
  { title: 'email', read: ({ email }) => email },
  { title: 'name', read: ({ name }) => name },
  { title: 'tier', kind: 'count', read: ({ tier }) => tier },
  { title: 'plan', read: ({ plan }) => plan },
  { title: 'balance', kind: 'euros', read: (account) => account.balance_eur },
  { title: 'spent today', kind: 'euros', read: (account) => account.spent_today_eur },
  { title: 'suspended', read: ({ suspended }) => suspended },
  { title: 'created', kind: 'time', read: (account) => account.created_at },
]

const memberColumns: readonly Column<MemberItem>[] = [
  { title: 'person', read: (member) => member.person_id },
  { title: 'email', read: ({ email }) => email },
  { title: 'name', read: ({ name }) => name },
  { title: 'role', read: ({ role }) => role },
  { title: 'joined', kind: 'time', read: (member) => member.joined_at },
]

const recordColumns: readonly Column<Account>[] = [
  { title: 'id', read: ({ id }) => id },
  { title: 'email', read: ({ email }) => email },
  { title: 'name', read: ({ name }) => name },
  { title: 'tier', read: ({ tier }) => tier },
  { title: 'min tier', read: (account) => account.min_tier },
  { title: 'plan', read: ({ plan }) => plan },
  { title: 'balance', kind: 'euros', read: (account) => account.balance_eur },
  { title: 'held', kind: 'euros', read: (account) => account.held_eur },
  { title: 'deposits', kind: 'euros', read: (account) => account.deposits_eur },
  { title: 'spent today', kind: 'euros', read: (account) => account.spent_today_eur },
  { title: 'daily ceiling', kind: 'euros', read: (account) => account.daily_ceiling_eur },
  { title: 'suspended', read: ({ suspended }) => suspended },
  { title: 'created', kind: 'time', read: (account) => account.created_at },
]

export function addAccountCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'account', {
    summary: 'Make, find and change accounts',
    example: 'parley account list',
  })
  addCreate(group, io)
  addList(group, io)
  addShow(group, io)
  addSet(group, io)
  addMembers(group, io)
}

function addCreate(group: Command, io: CommandIo): void {
  addDataCommand(group, 'create', {
    summary: 'Make an account; a new person gets the free credit',
    example: 'parley account create --email ada@example.com --name "Ada Lovelace"',
  })
    .requiredOption('--email <email>', 'whose account it is')
    .option('--name <name>', "the person's name, if the address is new")
    .action(async ({ json, ...body }: JsonOption & { email: string; name?: string }) => {
      const client = createOperatorClient(io)
      const { reply } = await client.send<Account>('POST', '/accounts', body)
      printReply(io, { json }, reply, () => printRecord(io.stdout, recordColumns, reply))
    })
}

function addList(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'list', {
    summary: 'List accounts, newest first',
    example: 'parley account list --email ada@example.com',
  }).option('--email <email>', 'only those of this address')
  addPageOptions(command).action(async (options: JsonOption & PageOptions & { email?: string }) => {
    const client = createOperatorClient(io)
    const { email } = options
    const page = await readPages<Account>(client, '/accounts', options, { email })
    printPage(io, options, page, { columns: listColumns, none: 'No accounts.' })
  })
}

function addShow(group: Command, io: CommandIo): void {
  addDataCommand(group, 'show', {
    summary: 'Show one account with its money and limits',
    example: 'parley account show ada@example.com',
  })
    .argument('<account>', 'id or e-mail address')
    .action(async (account: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const found = await client.get<Account>(await findAccountPath(client, account))
      printReply(io, options, found, () => printRecord(io.stdout, recordColumns, found))
    })
}

function addMembers(group: Command, io: CommandIo): void {
  addDataCommand(group, 'members', {
    summary: 'List who belongs to an account, and in which role',
    example: 'parley account members ada@example.com',
  })
    .argument('<account>', 'id or e-mail address')
    .action(async (account: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const path = `${await findAccountPath(client, account)}/members`
      const page = await client.get<Page<MemberItem>>(path)
      printPage(io, options, page, { columns: memberColumns, none: 'No members.' })
    })
}

function addSet(group: Command, io: CommandIo): void {
  addDataCommand(group, 'set', {
    summary: "Change an account's tier, plan, daily ceiling or suspension",
    example: 'parley account set ada@example.com --min-tier 2 --ceiling 5.00',
  })
    .argument('<account>', 'id or e-mail address')
    .option('--min-tier <tier>', 'the tier that it has at least: 1, 2 or 3', parseTier)
    .option('--plan <plan>', "the person's plan: free, lite, pro or elite", parsePlan)
    .option('--ceiling <euros>', 'what it may spend in a day, or none', parseCeiling)
    .addOption(new Option('--suspend', 'refuse its keys').conflicts('resume'))
    .option('--resume', 'accept its keys again')
    .action(async (account: string, options: ChangeOptions, command: Command) => {
      const changes = writeChanges(options)
      if (Object.keys(changes).length === 0) {
        command.error('error: say what to change, such as --min-tier 2')
      }
      const client = createOperatorClient(io)
      const path = await findAccountPath(client, account)
      const { reply } = await client.send<Account>('PATCH', path, changes)
      printReply(io, options, reply, () => printRecord(io.stdout, recordColumns, reply))
    })
}

function writeChanges({ minTier, plan, ceiling, suspend, resume }: ChangeOptions) {
  return {
    ...(minTier !== undefined && { min_tier: minTier }),
    ...(plan !== undefined && { plan }),
    ...(ceiling !== undefined && {
      daily_ceiling_eur: ceiling === 'none' ? null : ceiling,
    }),
    ...(suspend && { suspended: true }),
    ...(resume && { suspended: false }),
  }
}

function parseTier(text: string): number {
  if (/^[123]$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give 1, 2 or 3.')
}

function parsePlan(text: string): string {
  const plan = text.toUpperCase()
  if (['FREE', 'LITE', 'PRO', 'ELITE'].includes(plan)) return plan
  throw new InvalidArgumentError('Give free, lite, pro or elite.')
}
