import type { Command } from 'commander'
import type { ApiKey, CreatedKey } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import {
  addDataCommand,
  addGroup,
  parseCeiling,
  printReply,
  type JsonOption,
} from './data-command.ts'
import { findAccountPath } from './find-account.ts'
import { findKeyPath } from './find-key.ts'
import { createOperatorClient } from './operator-client.ts'
import { parseExpiry, parseTimeMs } from './parse-time.ts'
import { printRecord, type Column } from './print-table.ts'
import { addPageOptions, printPage, readPages, type PageOptions } from './read-pages.ts'

const columns: readonly Column<ApiKey>[] = [
  { title: 'id', read: ({ id }) => id },
  { title: 'name', read: ({ name }) => name },
  { title: 'key', read: (key) => `${key.prefix}…${key.last_four}` },
  { title: 'created', kind: 'time', read: (key) => key.created_at },
  { title: 'expires', kind: 'time', read: (key) => key.expires_at },
  { title: 'daily ceiling', kind: 'euros', read: (key) => key.daily_ceiling_eur },
  { title: 'spent today', kind: 'euros', read: (key) => key.spent_today_eur },
  { title: 'revoked', kind: 'time', read: (key) => key.revoked_at },
]

interface LimitOptions extends JsonOption {
  readonly name?: string
  readonly expires?: number | 'none'
  readonly ceiling?: string
}

interface RollOptions extends JsonOption {
  readonly overlap?: number
  readonly expires?: number | 'none'
}

export function addKeyCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'key', {
    summary: 'Make, list, change, roll and revoke API keys',
    example: 'parley key list ada@example.com',
  })
  addCreate(group, io)
  addList(group, io)
  addUpdate(group, io)
  addRoll(group, io)
  addRevoke(group, io)
}

function addCreate(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'create', {
    summary: 'Make an API key; it is shown this once',
    example: 'parley key create ada@example.com --name production --expires 90d --ceiling 5.00',
  })
    .argument('<account>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what the key is for')
  addLimitOptions(command).action(async (account: string, options: LimitOptions) => {
    const client = createOperatorClient(io)
    const path = await findAccountPath(client, account)
    const { reply } = await client.send<CreatedKey>('POST', `${path}/keys`, writeChanges(options))
    printReply(io, options, reply, () => printCreated(io, reply))
  })
}

function addLimitOptions(command: Command): Command {
  return command
    .option(
      '--expires <when>',
      'in 30d, 12h or 90m, at a time such as 2027-01-31T00:00:00Z, or none',
      parseExpiry,
    )
    .option('--ceiling <euros>', 'what it may spend in a day, or none', parseCeiling)
}

function writeChanges({ name, expires, ceiling }: LimitOptions) {
  return {
    ...(name !== undefined && { name }),
    ...(expires !== undefined && { expires_at: expires === 'none' ? null : expires }),
    ...(ceiling !== undefined && {
      daily_ceiling_eur: ceiling === 'none' ? null : ceiling,
    }),
  }
}

/** The key alone goes to stdout, so that it can be piped to where it is kept. */
function printCreated({ stdout, stderr }: CommandIo, { key, id }: CreatedKey): void {
  stdout.write(`${key}\n`)
  stderr.write(`Keep it now: the key is shown this once. Its id is ${id}.\n`)
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

function addUpdate(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'update', {
    summary: "Change a key's name, expiry or daily ceiling, from the very next request on",
    example:
      'parley key update ada@example.com key_019e3a52c1f07a30b1c5d2e8f4a96b70 --ceiling 2.00',
  })
  addKeyArguments(command).option('--name <name>', 'what the key is for')
  addLimitOptions(command).action(async (account: string, key: string, options: LimitOptions) => {
    const changes = writeChanges(options)
    if (Object.keys(changes).length === 0) {
      command.error('error: say what to change, such as --ceiling 2.00')
    }
    const client = createOperatorClient(io)
    const path = await findKeyPath(client, await findAccountPath(client, account), key)
    const { reply } = await client.send<ApiKey>('PATCH', path, changes)
    printReply(io, options, reply, () => printRecord(io.stdout, columns, reply))
  })
}

function addRoll(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'roll', {
    summary: 'Make a key like this one, shown this once; the old one ends after an overlap',
    example: 'parley key roll ada@example.com production --overlap 2h',
  })
  addKeyArguments(command)
    .option('--overlap <time>', 'for so long both work, up to 7d (default: 1d)', parseTimeMs)
    .option(
      '--expires <when>',
      'when the new one ends (default: when the old one would)',
      parseExpiry,
    )
    .action(async (account: string, key: string, options: RollOptions) => {
      const { overlap, expires } = options
      const client = createOperatorClient(io)
      const path = await findKeyPath(client, await findAccountPath(client, account), key)
      const body = {
        ...(overlap !== undefined && { overlap_s: overlap / 1000 }),
        ...writeChanges({ ...(expires !== undefined && { expires }) }),
      }
      const { reply } = await client.send<CreatedKey>('POST', `${path}/roll`, body)
      printReply(io, options, reply, () => printCreated(io, reply))
    })
}

function addKeyArguments(command: Command): Command {
  return command
    .argument('<account>', 'id or e-mail address')
    .argument('<key>', 'its id, name or last four, as `parley key list` shows them')
}

function addRevoke(group: Command, io: CommandIo): void {
  const command = addDataCommand(group, 'revoke', {
    summary: 'Revoke a key: the very next request with it is refused',
    example: 'parley key revoke ada@example.com production',
  })
  addKeyArguments(command).action(async (account: string, key: string, { json }: JsonOption) => {
    const client = createOperatorClient(io)
    const path = await findKeyPath(client, await findAccountPath(client, account), key)
    await client.send('DELETE', path)
    // The API answers without a body, so with --json there is nothing to print.
    if (!json) io.stdout.write(`Revoked ${key}.\n`)
  })
}
