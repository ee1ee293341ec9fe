import { Option, type Command } from 'commander'
import type { CreatedOidcClient, OidcClient } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import { printRecord, type Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

interface ChangeOptions extends JsonOption {
  readonly name?: string
  readonly redirectUri?: readonly string[]
}

const columns: readonly Column<OidcClient>[] = [
  { title: 'client id', read: (client) => client.client_id },
  { title: 'name', read: ({ name }) => name },
  { title: 'kind', read: ({ kind }) => kind },
  { title: 'created', kind: 'time', read: (client) => client.created_at },
  { title: 'redirect uris', read: (client) => client.redirect_uris.join(' ') },
]

export function addClientCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'client', {
    summary: 'Register and change the apps that people can sign in to',
    example: 'parley client list',
  })
  addCreate(group, io)
  addList(group, io)
  addShow(group, io)
  addUpdate(group, io)
  addRotateSecret(group, io)
  addDelete(group, io)
}

function addCreate(group: Command, io: CommandIo): void {
  addDataCommand(group, 'create', {
    summary: 'Register an app; the secret of a confidential one is shown this once',
    example:
      'parley client create --name "Example Chat" --kind confidential --redirect-uri https://chat.example.com/callback',
  })
    .requiredOption('--name <name>', 'what people are told that they sign in to')
    .addOption(
      new Option('--kind <kind>', 'public, where its users could read a secret: pages, native apps')
        .choices(['public', 'confidential'])
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--redirect-uri <uri>',
      'where people are sent back to; may be given again',
      gather,
    )
    .action(async (options: ChangeOptions & { kind: string }) => {
      const { kind } = options
      const body = { ...writeChanges(options), kind }
      const client = createOperatorClient(io)
      const { reply } = await client.send<CreatedOidcClient>('POST', '/clients', body)
      printReply(io, options, reply, () => {
        if (reply.client_secret === null) printRecord(io.stdout, columns, reply)
        else printSecret(io, reply)
      })
    })
}

function addList(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'list', {
    summary: 'List apps, newest first',
    example: 'parley client list',
  })
  addPageOptions(command).action(async (options: JsonOption & PageOptions) => {
    const page = await readPages<OidcClient>(createOperatorClient(io), '/clients', options)
    printPage(io, options, page, { columns, none: 'No apps.' })
  })
}

function addShow(group: Command, io: CommandIo): void {
  addDataCommand(group, 'show', {
    summary: 'Show one app',
    example: `parley client show ${EXAMPLE_ID}`,
  })
    .argument('<client>', 'its client id')
    .action(async (clientId: string, options: JsonOption) => {
      const found = await createOperatorClient(io).get<OidcClient>(pathOf(clientId))
      printReply(io, options, found, () => printRecord(io.stdout, columns, found))
    })
}

function addUpdate(group: Command, io: CommandIo): void {
  addDataCommand(group, 'update', {
    summary: "Change an app's name, or all of its redirect URIs",
    example: `parley client update ${EXAMPLE_ID} --redirect-uri https://chat.example.com/signed-in`,
  })
    .argument('<client>', 'its client id')
    .option('--name <name>', 'what people are told that they sign in to')
    .option('--redirect-uri <uri>', 'instead of those that it has; may be given again', gather)
    .action(async (clientId: string, options: ChangeOptions, command: Command) => {
      const changes = writeChanges(options)
      if (Object.keys(changes).length === 0) {
        command.error('error: say what to change, such as --name "Example Chat"')
      }
      const client = createOperatorClient(io)
      const { reply } = await client.send<OidcClient>('PATCH', pathOf(clientId), changes)
      printReply(io, options, reply, () => printRecord(io.stdout, columns, reply))
    })
}

function addRotateSecret(group: Command, io: CommandIo): void {
  addDataCommand(group, 'rotate-secret', {
    summary: 'Make a new secret, shown this once; the old one stops at once',
    example: `parley client rotate-secret ${EXAMPLE_ID}`,
  })
    .argument('<client>', 'its client id')
    .action(async (clientId: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const path = `${pathOf(clientId)}/secret`
      const { reply } = await client.send<CreatedOidcClient>('POST', path)
      printReply(io, options, reply, () => printSecret(io, reply))
    })
}

function addDelete(group: Command, io: CommandIo): void {
  addDataCommand(group, 'delete', {
    summary: 'Delete an app: all that it holds of people ends at once',
    example: `parley client delete ${EXAMPLE_ID}`,
  })
    .argument('<client>', 'its client id')
    .action(async (clientId: string, { json }: JsonOption) => {
      await createOperatorClient(io).send('DELETE', pathOf(clientId))
      // The API answers without a body, so with --json there is nothing to print.
      if (!json) io.stdout.write(`Deleted ${clientId}.\n`)
    })
}

const EXAMPLE_ID = 'app_019e3a52c1f07a30b1c5d2e8f4a96b70'

function pathOf(clientId: string): string {
  return `/clients/${encodeURIComponent(clientId)}`
}

function gather(uri: string, before: readonly string[] = []): readonly string[] {
  return [...before, uri]
}

function writeChanges({ name, redirectUri }: ChangeOptions) {
  return {
    ...(name !== undefined && { name }),
    ...(redirectUri && { redirect_uris: redirectUri }),
  }
}

/** The secret alone on stdout, so that it can go into a file or another command. */
function printSecret({ stdout, stderr }: CommandIo, client: CreatedOidcClient): void {
  stdout.write(`${client.client_secret}\n`)
  stderr.write(
    `Keep it now: the secret is shown this once. The client id is ${client.client_id}.\n`,
  )
}
