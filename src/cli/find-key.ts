import type { ApiKey } from '#api/contract/index.ts'
import { CommandError } from './command-error.ts'
import type { OperatorClient } from './operator-client.ts'
import { readPages } from './read-pages.ts'

/** The path of a key that is given by its id, its name, what is shown of it, or its last four. */
export async function findKeyPath(
  client: OperatorClient,
  accountPath: string,
  key: string,
): Promise<string> {
  const id = key.startsWith('key_') ? key : await findKeyId(client, `${accountPath}/keys`, key)
  return `${accountPath}/keys/${encodeURIComponent(id)}`
}

/** Which of two is meant is not ours to guess; one that is revoked is meant only where no other is. */
async function findKeyId(client: OperatorClient, path: string, wanted: string): Promise<string> {
  const { data } = await readPages<ApiKey>(client, path, { all: true })
  const named = data.filter((key) => isNamed(key, wanted))
  const live = named.filter((key) => key.revoked_at === null)
  const [found, ...others] = live.length > 0 ? live : named
  if (found === undefined) {
    throw new CommandError(
      `This account has no key that is called ${wanted}, or is shown so. See: parley key list`,
    )
  }
  if (others.length === 0) return found.id
  const ids = [found, ...others].map(({ id, name }) => `${id} (${name})`).join(', ')
  throw new CommandError(`${others.length + 1} keys go by ${wanted}. Give the id of one: ${ids}`)
}

function isNamed(key: ApiKey, wanted: string): boolean {
  const { id, name, prefix, last_four: lastFour } = key
  const dots = wanted.replace('...', '…')
  return [id, name, prefix, lastFour, `${prefix}…${lastFour}`, `…${lastFour}`].includes(dots)
}
