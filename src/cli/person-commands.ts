import { InvalidArgumentError, Option, type Command } from 'commander'
import type { OperatorPerson, SignInLink } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import { addPersonCommand, findPersonPath } from './find-person.ts'
import { addPersonDeedCommands } from './person-deed-commands.ts'
import { printRecord, type Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

interface ListOptions extends JsonOption, PageOptions {
  readonly email?: string
  readonly role?: string
}

const columns: readonly Column<OperatorPerson>[] = [
  { title: 'id', read: ({ id }) => id },
  { title: 'email', read: ({ email }) => email },
  { title: 'verified', read: (person) => person.email_verified },
  { title: 'name', read: ({ name }) => name },
  { title: 'plan', read: ({ plan }) => plan },
  { title: 'role', read: ({ role }) => role },
  { title: 'two factors', read: (person) => person.two_factor },
  { title: 'created', kind: 'time', read: (person) => person.created_at },
]

export function addPersonCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'person', {
    summary: 'Find people, make them operators, sign them in and out',
    example: 'parley person list --role operator',
  })
  addList(group, io)
  addShow(group, io)
  addRole(group, io, 'promote')
  addRole(group, io, 'demote')
  addSignOut(group, io)
  addLink(group, io)
  addPersonDeedCommands(group, io)
}

function addList(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'list', {
    summary: 'List people, newest first',
    example: 'parley person list --role operator',
  })
    .option('--email <email>', 'only the one of this address')
    .addOption(
      new Option('--role <role>', 'only those of this role').choices(['customer', 'operator']),
    )
  addPageOptions(command).action(async (options: ListOptions) => {
    const { email, role } = options
    const client = createOperatorClient(io)
    const page = await readPages<OperatorPerson>(client, '/people', options, { email, role })
    printPage(io, options, page, { columns, none: 'Nobody.' })
  })
}

function addShow(group: Command, io: CommandIo): void {
  addPersonCommand(group, 'show', {
    summary: 'Show one person',
    example: 'parley person show ada@example.com',
  }).action(async (person: string, options: JsonOption) => {
    const client = createOperatorClient(io)
    const found = await client.get<OperatorPerson>(await findPersonPath(client, person))
    printReply(io, options, found, () => printRecord(io.stdout, columns, found))
  })
}

const ROLES = {
  promote: { role: 'operator', summary: 'Make a person an operator' },
  demote: { role: 'customer', summary: 'Make an operator a customer again: refused from now on' },
}

function addRole(group: Command, io: CommandIo, name: keyof typeof ROLES): void {
  const { role, summary } = ROLES[name]
  const example = `parley person ${name} ada@example.com`
  addPersonCommand(group, name, { summary, example }).action(
    async (person: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const path = await findPersonPath(client, person)
      const { reply } = await client.send<OperatorPerson>('PATCH', path, { role })
      printReply(io, options, reply, () => printRecord(io.stdout, columns, reply))
    },
  )
}

function addSignOut(group: Command, io: CommandIo): void {
  addPersonCommand(group, 'sign-out', {
    summary: 'Sign a person out everywhere, as for a lost laptop; API keys stay',
    example: 'parley person sign-out ada@example.com',
  }).action(async (person: string, { json }: JsonOption) => {
    const client = createOperatorClient(io)
    await client.send('POST', `${await findPersonPath(client, person)}/sign-out`)
    // The API answers without a body, so with --json there is nothing to print.
    if (!json) io.stdout.write(`Signed ${person} out everywhere.\n`)
  })
}

interface LinkOptions extends JsonOption {
  readonly minutes: number
  readonly operator?: true
}

function addLink(group: Command, io: CommandIo): void {
  addPersonCommand(group, 'link', {
    summary: 'Make a link that signs a person in, once; it is shown this once',
    example: 'parley person link ada@example.com',
  })
    .option('--minutes <minutes>', 'how long it is good for', parseMinutes, 15)
    .option('--operator', 'who follows it becomes an operator')
    .action(async (person: string, { minutes, operator, json }: LinkOptions) => {
      const client = createOperatorClient(io)
      const path = `${await findPersonPath(client, person)}/sign-in-links`
      const body = { expires_in_s: minutes * 60, ...(operator && { role: 'operator' }) }
      const { reply } = await client.send<SignInLink>('POST', path, body)
      printReply(io, { json }, reply, () => {
        io.stdout.write(`${reply.url}\n`)
        const time = minutes === 1 ? '1 minute' : `${minutes} minutes`
        io.stderr.write(`Whoever opens it within ${time} is signed in as ${person}, once.\n`)
      })
    })
}

const DAY_MINUTES = 24 * 60

function parseMinutes(text: string): number {
  const minutes = Number(text)
  if (/^\d+$/.test(text) && minutes >= 1 && minutes <= DAY_MINUTES) return minutes
  throw new InvalidArgumentError(`Write whole minutes, from 1 to ${DAY_MINUTES}.`)
}
