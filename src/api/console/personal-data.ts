import type { Clock } from '#platform/clock.ts'
import type { Persons } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import { writeAccounts, type AccountTools } from '../operator/account-handlers.ts'
import { describeAccountData, writeAuditData, type AccountDataTools } from './account-data.ts'
import { readAll } from './read-all.ts'

export interface PersonalDataTools extends AccountTools, AccountDataTools {
  readonly persons: Persons
  readonly identity: Identity
  readonly clock: Clock
}

/**
 * All that is kept of a person, for them alone: what would open anything is left out, and nothing else.
 * Its lists are read as they are written. docs/operate/personal-data.md says what each column becomes.
 */
export async function describePersonalData(tools: PersonalDataTools, personId: string) {
  const { accounts, persons, identity, clock } = tools
  const person = await persons.find(personId)
  if (!person) throw new Error(`person ${personId} is not there`)
  const { people } = await identity.load()
  const [sessions, methods, apps] = await Promise.all([
    people.sessions.list(personId),
    identity.signInMethods(personId),
    identity.connectedApps.list(personId),
  ])
  return {
    format: 'parley-personal-data',
    version: 1,
    exported_at: clock.nowMs(),
    person: {
      id: person.id,
      email: person.email,
      email_verified: person.emailVerified,
      name: person.name,
      picture: person.picture,
      plan: person.plan,
      role: person.role,
      two_factor: person.twoFactorEnabled,
      created_at: person.createdAtMs,
      updated_at: person.updatedAtMs,
    },
    sign_in: {
      password: methods.password
        ? { created_at: methods.password.createdAtMs, changed_at: methods.password.changedAtMs }
        : null,
      authenticator: methods.authenticator ?? null,
      passkeys: methods.passkeys,
      links: methods.links,
    },
    sessions: sessions.map((session) => ({
      id: session.id,
      created_at: session.createdAtMs,
      last_used_at: session.usedAtMs,
      expires_at: session.expiresAtMs,
      user_agent: session.userAgent,
      address: session.address,
    })),
    apps: apps.map((app) => ({
      client_id: app.clientId,
      name: app.name,
      scopes: app.scopes,
      consented_at: app.consentedAtMs,
      last_used_at: app.usedAtMs,
    })),
    audit: writeAuditData(accounts, { personId }, personId),
    accounts: writeAll(tools, personId),
  }
}

async function* writeAll(tools: PersonalDataTools, personId: string) {
  const { accounts } = tools
  const own = readAll<{ readonly id: string }, string>(
    (before, limit) => accounts.list({ personId, ...(before !== undefined && { before }) }, limit),
    ({ id }) => id,
  )
  for await (const { id } of own) {
    const account = await accounts.find(id)
    const [written] = account ? await writeAccounts(tools, [account]) : []
    if (written) yield await describeAccountData(tools, written, personId)
  }
}
