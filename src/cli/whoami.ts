import type { UserInfoResponse } from 'openid-client'
import type { CommandIo } from './command-io.ts'
import { openCredentials, type Credentials } from './credentials-file.ts'
import { printReply, type JsonOption } from './data-command.ts'
import { notSignedIn, readFresh, refresh, signInAgain } from './fresh-credentials.ts'
import { printRecord, type Cell, type Column } from './print-table.ts'
import { asked, findSignInService, readSignInUrl, type SignInService } from './sign-in-service.ts'

const columns: readonly Column<UserInfoResponse>[] = [
  { title: 'email', read: ({ email }) => email ?? null },
  { title: 'name', read: ({ name }) => name ?? null },
  { title: 'plan', read: (person) => readCell(person['plano']) },
  { title: 'paid', read: (person) => readCell(person['plano_pago']) },
]

/** Asks the service who the person is, with a token that is refreshed where it must be. */
export async function showWhoami(io: CommandIo, options: JsonOption): Promise<void> {
  const file = openCredentials(io)
  const url = readSignInUrl(io)
  // Asked first: who is not signed in need not have a service that runs.
  if (!file.read(url)) throw notSignedIn(url)
  const service = await findSignInService(url)
  const credentials = await readFresh(file, service)
  const person =
    (await fetchPerson(service, credentials)) ??
    (await fetchPerson(service, await refresh(file, service, credentials)))
  if (!person) throw signInAgain(url)
  printReply(io, options, person, () => printRecord(io.stdout, columns, person))
}

/** Undefined where the service does not take the token. */
async function fetchPerson(
  { url, openid, config }: SignInService,
  { access_token: token, sub }: Credentials,
): Promise<UserInfoResponse | undefined> {
  try {
    return await asked(url, () => openid.fetchUserInfo(config, token, sub))
  } catch (error) {
    if (error instanceof openid.WWWAuthenticateChallengeError) return undefined
    throw error
  }
}

function readCell(value: unknown): Cell {
  return typeof value === 'string' || typeof value === 'boolean' ? value : null
}
