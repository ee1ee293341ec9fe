import type { Command } from 'commander'
import type { OperatorPerson, TwoFactorReset } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { printReply, type JsonOption } from './data-command.ts'
import { addPersonCommand, findPersonPath } from './find-person.ts'
import { createOperatorClient } from './operator-client.ts'

/** What cannot be taken back of somebody. */
export function addPersonDeedCommands(group: Command, io: CommandIo): void {
  addResetTwoFactor(group, io)
  addRemove(group, io)
}

function addResetTwoFactor(group: Command, io: CommandIo): void {
  addPersonCommand(group, 'reset-two-factor', {
    summary: 'Take a lost second factor away: signs the person out, and tells them by mail',
    example: 'parley person reset-two-factor ada@example.com',
  })
    .option('--passkeys', 'their passkeys too')
    .action(async (person: string, options: JsonOption & { readonly passkeys?: true }) => {
      const client = createOperatorClient(io)
      const path = `${await findPersonPath(client, person)}/reset-two-factor`
      const body = { passkeys: options.passkeys === true }
      const { reply } = await client.send<TwoFactorReset>('POST', path, body)
      printReply(io, options, reply, () => {
        const app = reply.authenticator ? 'authenticator app' : 'no authenticator app'
        io.stdout.write(
          `Reset ${person}: ${app}, passkeys: ${reply.passkeys}. They are signed out everywhere.\n`,
        )
      })
    })
}

function addRemove(group: Command, io: CommandIo): void {
  addPersonCommand(group, 'remove', {
    summary: 'Forget a person for good: keys end, accounts are suspended, the books stay',
    example: 'parley person remove ada@example.com --confirm ada@example.com',
  })
    .requiredOption('--confirm <email>', 'their address, once more: this cannot be undone')
    .action(async (person: string, { json, confirm }: JsonOption & { confirm: string }) => {
      const client = createOperatorClient(io)
      const path = await findPersonPath(client, person)
      const { email } = await client.get<OperatorPerson>(path)
      if (email.toLowerCase() !== confirm.toLowerCase()) {
        throw new CommandError(`${confirm} is not this person's address. Nothing was done.`)
      }
      await client.send('DELETE', path)
      // The API answers without a body, so with --json there is nothing to print.
      if (json) return
      io.stdout.write(`Removed ${email}: their keys and sessions have ended, the books stay.\n`)
    })
}
