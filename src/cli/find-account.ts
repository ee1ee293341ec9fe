import type { Account } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { OperatorClient } from './operator-client.ts'
import type { Page } from './read-pages.ts'

/** The path of an account that is given by its id or its e-mail address. */
export async function findAccountPath(client: OperatorClient, account: string): Promise<string> {
  return `/accounts/${encodeURIComponent(await findAccountId(client, account))}`
}

/** An id is taken as it is: whether there is such an account, the service says. */
export async function findAccountId(client: OperatorClient, account: string): Promise<string> {
  return account.includes('@') ? findIdByEmail(client, account) : account
}

/** A person may have several accounts: which one is meant is then not ours to guess. */
async function findIdByEmail(client: OperatorClient, email: string): Promise<string> {
  const { data } = await client.get<Page<Account>>('/accounts', { email })
  const [first, ...others] = data
  if (first === undefined) {
    throw new CommandError(`No account has the e-mail address ${email}. See: parley account list`)
  }
  if (others.length === 0) return first.id
  throw new CommandError(
    `${data.length} accounts have the e-mail address ${email}. Give the id of one: ${data.map(({ id }) => id).join(', ')}`,
  )
}
