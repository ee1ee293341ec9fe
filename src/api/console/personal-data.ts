import type { Clock } from '#platform/clock.ts'
import type { Accounts, Membership, Persons } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import { writeAccounts, type AccountTools } from '../operator/account-handlers.ts'
import {
  describeAccountData,
  writeAuditData,
  writeEntries,
  type AccountDataTools,
} from './account-data.ts'
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
    ...(await describeMembership(accounts, personId)),
    accounts: writeAll(tools, personId),
  }
}

/** What they are, and did, in accounts that are perhaps another's. */
async function describeMembership(accounts: Accounts, personId: string) {
  const { memberships, sent, received } = await accounts.members.dataOf(personId)
  return {
    memberships: memberships.map(({ accountId, role, joinedAtMs }) => ({
      account_id: accountId,
      person_id: personId,
      role,
      joined_at: joinedAtMs,
    })),
    invitations: { sent, received },
    elsewhere: writeEntries((page) => accounts.auditElsewhere(personId, page), personId),
  }
}

/** Those that bear their name: what is in the accounts of others is told to these. */
async function* writeAll(tools: PersonalDataTools, personId: string) {
  const { accounts } = tools
  const all = readAll<Membership, string>(
    (before, limit) => accounts.members.of(personId, { before, limit }),
    ({ account }) => account.id,
  )
  for await (const { account } of all) {
    if (account.personId !== personId) continue
    const [written] = await writeAccounts(tools, [account])
    if (written) yield await describeAccountData(tools, written, personId)
  }
}
