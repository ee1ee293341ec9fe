import type { Command } from 'commander'
import type { ApiKey, CreatedKey } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { findAccountPath } from './find-account.ts'
import { createOperatorClient } from './operator-client.ts'
import type { Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

const columns: readonly Column<ApiKey>[] = [
  { title: 'id', read: ({ id }) => id },
  { title: 'name', read: ({ name }) => name },
  { title: 'key', read: (key) => `${key.prefix}…${key.last_four}` },
  { title: 'created', kind: 'time', read: (key) => key.created_at },
  { title: 'revoked', kind: 'time', read: (key) => key.revoked_at },
]

export function addKeyCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'key', {
    summary: 'Make, list and revoke API keys',
    example: 'parley key list ada@example.com',
  })
  addCreate(group, io)
  addList(group, io)
  addRevoke(group, io)
}

function addCreate(group: Command, io: CommandIo): void {
  addDataCommand(group, 'create', {
    summary: 'Make an API key; it is shown this once',
    example: 'parley key create ada@example.com --name production',
  })
    .argument('<account>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what the key is for')
    .action(async (account: string, { json, name }: JsonOption & { name: string }) => {
      const client = createOperatorClient(io)
      const path = await findAccountPath(client, account)
      const { reply } = await client.send<CreatedKey>('POST', `${path}/keys`, { name })
      printReply(io, { json }, reply, () => {
        io.stdout.write(`${reply.key}\n`)
        io.stderr.write(`Keep it now: the key is shown this once. Its id is ${reply.id}.\n`)
      })
    })
}

function addList(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'list', {
    summary: "List an account's keys, newest first",
    example: 'parley key list ada@example.com',
  }).argument('<account>', 'id or e-mail address')
  addPageOptions(command).action(async (account: string, options: JsonOption & PageOptions) => {
    const client = createOperatorClient(io)
    const path = `${await findAccountPath(client, account)}/keys`
    const page = await readPages<ApiKey>(client, path, options)
    printPage(io, options, page, { columns, none: 'This account has no keys.' })
  })
}

function addRevoke(group: Command, io: CommandIo): void {
  addDataCommand(group, 'revoke', {
    summary: 'Revoke a key: the very next request with it is refused',
    example: 'parley key revoke ada@example.com key_019e3a52c1f07a30b1c5d2e8f4a96b70',
  })
    .argument('<account>', 'id or e-mail address')
    .argument('<key>', 'its id, as `parley key list` shows it')
    .action(async (account: string, key: string, { json }: JsonOption) => {
      const client = createOperatorClient(io)
      const path = await findAccountPath(client, account)
      await client.send('DELETE', `${path}/keys/${encodeURIComponent(key)}`)
      // The API answers without a body, so with --json there is nothing to print.
      if (!json) io.stdout.write(`Revoked ${key}.\n`)
    })
}
