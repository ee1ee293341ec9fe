import type { Command } from 'commander'
import type { OperatorPerson } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import { addDataCommand } from './data-command.ts'
import type { OperatorClient } from './operator-client.ts'
import type { Page } from './read-pages.ts'

/** A command that is about one person. */
export function addPersonCommand(
  group: Command,
  name: string,
  explanation: { summary: string; example: string },
): Command {
  return addDataCommand(group, name, explanation).argument('<person>', 'id or e-mail address')
}

export async function findPersonPath(client: OperatorClient, person: string): Promise<string> {
  const id = person.includes('@') ? await findIdByEmail(client, person) : person
  return `/people/${encodeURIComponent(id)}`
}

async function findIdByEmail(client: OperatorClient, email: string): Promise<string> {
  const { data } = await client.get<Page<OperatorPerson>>('/people', { email })
  const [found] = data
  if (found) return found.id
  throw new CommandError(`Nobody has the e-mail address ${email}. See: parley person list`)
}
