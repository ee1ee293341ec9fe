import { InvalidArgumentError, Option, type Command } from 'commander'
import type { SigningKey } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addGroup, printReply, type JsonOption } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import { printRecord, printTable, type Column } from './print-table.ts'
import type { Page } from './read-pages.ts'

interface RotateOptions extends JsonOption {
  readonly now?: true
  readonly after?: number
}

const columns: readonly Column<SigningKey>[] = [
  { title: 'kid', read: ({ kid }) => kid },
  { title: 'state', read: ({ state }) => state },
  { title: 'signs from', kind: 'time', read: (key) => key.signs_from },
  { title: 'created', kind: 'time', read: (key) => key.created_at },
]

export function addSigningKeyCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'signing-key', {
    summary: 'Rotate the keys that sign id tokens',
    example: 'parley signing-key list',
  })
  addList(group, io)
  addRotate(group, io)
  addDrop(group, io)
}

function addList(group: Command, io: CommandIo): void {
  addDataCommand(group, 'list', {
    summary: 'List the keys, and which one signs',
    example: 'parley signing-key list',
  }).action(async (options: JsonOption) => {
    const page = await createOperatorClient(io).get<Page<SigningKey>>('/signing-keys')
    printReply(io, options, page, () =>
      printTable(io.stdout, columns, page.data, 'No key yet: the first sign-in makes one.'),
    )
  })
}

function addRotate(group: Command, io: CommandIo): void {
  addDataCommand(group, 'rotate', {
    summary: 'Make a key; it signs in an hour, when apps have learned of it',
    example: 'parley signing-key rotate',
  })
    .option('--after <seconds>', 'when it signs (default: 3600)', parseSeconds)
    .addOption(
      new Option(
        '--now',
        'at once, as when a key has leaked: apps may fail until they ask again',
      ).conflicts('after'),
    )
    .action(async (options: RotateOptions) => {
      const { now, after } = options
      const delay = now ? 0 : after
      const body = delay === undefined ? {} : { signs_after_s: delay }
      const client = createOperatorClient(io)
      const { reply } = await client.send<SigningKey>('POST', '/signing-keys', body)
      printReply(io, options, reply, () => printRecord(io.stdout, columns, reply))
    })
}

function addDrop(group: Command, io: CommandIo): void {
  addDataCommand(group, 'drop', {
    summary: 'Drop a key that does not sign: what it signed is refused at once',
    example: 'parley signing-key drop Zk3fJ0cQ9wM1xV7a',
  })
    // A key's id may begin as options do.
    .allowUnknownOption()
    .argument('<kid>', 'its id, as `parley signing-key list` shows it')
    .action(async (kid: string, { json }: JsonOption) => {
      await createOperatorClient(io).send('DELETE', `/signing-keys/${encodeURIComponent(kid)}`)
      // The API answers without a body, so with --json there is nothing to print.
      if (!json) io.stdout.write(`Dropped ${kid}.\n`)
    })
}

function parseSeconds(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number of seconds, such as 3600.')
}
