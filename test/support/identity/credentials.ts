import type { Operation } from '#api/contract/index.ts'
import type { Service } from '../service.ts'
import { createVisitor, type Visitor } from './visitor.ts'

/** The headers that open each surface; those of a session, where there is one. */
export type Credentials = Readonly<Record<Operation['auth'], Readonly<Record<string, string>>>>

export function writeCredentials(
  { operatorToken }: Service,
  key: string,
  session: Readonly<Record<string, string>> = {},
): Credentials {
  return {
    api_key: { authorization: `Bearer ${key}` },
    operator_token: { authorization: `Bearer ${operatorToken}` },
    session,
    none: {},
  }
}

let people = 0

/** A person with a session, in a browser of theirs. The service must serve people at its own origin. */
export async function signInSomebody(
  service: Service,
): Promise<Visitor & { readonly email: string }> {
  people += 1
  const email = `somebody-${people}@example.com`
  const visitor = createVisitor(service)
  await visitor.signUp(email)
  await visitor.signIn(email)
  return { ...visitor, email }
}

/** What a page of ours sends for who is signed in there. */
export function writeSession({ cookies }: Visitor, { origin }: Service): Record<string, string> {
  const cookie = [...cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  return { cookie, origin }
}
