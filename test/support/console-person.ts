import { call, type Answer } from './call.ts'
import { writeSession } from './identity/credentials.ts'
import { signedIn } from './identity/people.ts'
import type { Service } from './service.ts'

/** Somebody who is signed in, and asks the console's API. */
export interface ConsolePerson {
  readonly service: Service
  readonly email: string
  readonly personId: string
  readonly accountId: string
  /** What a page of ours sends for them. */
  readonly session: Readonly<Record<string, string>>
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** The same below their own account. */
  own(method: string, path: string, body?: unknown): Promise<Answer>
}

/** A new person, with an account that has the free credit. */
export async function openConsolePerson(service: Service): Promise<ConsolePerson> {
  const visitor = await signedIn(service)
  const session = writeSession(visitor, service)
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(service, method, `/console/api${path}`, {
      headers: session,
      ...(body !== undefined && { body }),
    })
  const accountId: string = (await ask('GET', '/accounts')).json.data[0].id
  return {
    service,
    email: visitor.email,
    personId: (await ask('GET', '/person')).json.id,
    accountId,
    session,
    ask,
    own: (method, path, body) => ask(method, `/accounts/${accountId}${path}`, body),
  }
}
