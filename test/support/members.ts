import assert from 'node:assert/strict'
import type { MemberRole } from '#accounts/index.ts'
import type { Answer } from './call.ts'
import { openConsolePerson, type ConsolePerson } from './console-person.ts'
import { lastToken } from './identity/people.ts'
import type { Service } from './service.ts'

/** The same as `own` of a person, below an account that is perhaps another's. */
export function at({ ask }: ConsolePerson, accountId: string) {
  return (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(method, `/accounts/${accountId}${path}`, body)
}

/** The page of an invitation, asked or sent by whoever has the session. */
export function openInvitation(
  { origin }: Pick<Service, 'origin'>,
  token: string,
  { method = 'GET', session = {} }: { readonly method?: string; readonly session?: Session } = {},
): Promise<Response> {
  const headers = { ...session, 'content-type': 'application/x-www-form-urlencoded' }
  const url = `${origin}/invitation?token=${token}`
  return fetch(url, { method, headers: { origin, ...headers }, redirect: 'manual' })
}

type Session = ConsolePerson['session']

/** A new person who was invited, and has accepted. */
export async function join(owner: ConsolePerson, role: MemberRole): Promise<ConsolePerson> {
  const { service, accountId } = owner
  const person = await openConsolePerson(service)
  // With one account, theirs comes first; that of a member is looked for by its id.
  await accept(owner, person, role, accountId)
  return person
}

export async function accept(
  owner: ConsolePerson,
  { service, email, session }: ConsolePerson,
  role: MemberRole,
  accountId = owner.accountId,
): Promise<void> {
  const invited = await at(owner, accountId)('POST', '/invitations', { email, role })
  assert.equal(invited.status, 201, invited.text)
  const accepted = await openInvitation(service, lastToken(service, email), {
    method: 'POST',
    session,
  })
  assert.equal(accepted.status, 303)
  assert.equal(accepted.headers.get('location'), `/console?account=${accountId}`)
}
