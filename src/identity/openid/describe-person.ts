import type { AccountClaims } from 'oidc-provider'
import type { Person } from '#accounts/index.ts'

/** Which claims a scope gives (the contract's table). */
export const CLAIMS: Readonly<Record<string, string[]>> = {
  openid: ['sub'],
  profile: ['name', 'picture'],
  email: ['email', 'email_verified'],
  plano: ['plano', 'plano_pago'],
}

/** All that an app can ask for. */
export const SCOPES: readonly string[] = [...Object.keys(CLAIMS), 'offline_access']

/** All claims of a person; the provider leaves out those that no scope gives. */
export function describePerson(person: Person): AccountClaims {
  return {
    sub: person.id,
    ...(person.name !== null && { name: person.name }),
    ...(person.picture !== null && { picture: person.picture }),
    email: person.email,
    email_verified: person.emailVerified,
    plano: person.plan,
    plano_pago: person.plan !== 'FREE',
  }
}
