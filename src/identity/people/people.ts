import type { IncomingHttpHeaders } from 'node:http'
import { toHeaders } from './to-headers.ts'
import type { Auth } from './create-auth.ts'

/** A person's session in one browser. */
export interface Session {
  readonly id: string
  readonly personId: string
  readonly email: string
  readonly name: string | null
  readonly role: 'customer' | 'operator'
  readonly twoFactorEnabled: boolean
  readonly sinceMs: number
}

/** People, and how they sign in. */
export interface People {
  /** Answers a call of the sign-in API (`/api/auth/…`): its limits and rules apply. */
  handle(request: Request): Promise<Response>
  /** Whose session the cookies of a request name; undefined for nobody's. */
  findSession(headers: IncomingHttpHeaders): Promise<Session | undefined>
}

export function createPeople(auth: Auth): People {
  return {
    handle: (request) => auth.handler(request),
    async findSession(headers) {
      // Most requests have no cookie at all: they cost no look-up.
      if (headers.cookie === undefined) return undefined
      const found = await auth.api.getSession({ headers: toHeaders(headers) })
      if (!found) return undefined
      const { user, session } = found
      return {
        id: session.id,
        personId: user.id,
        email: user.email,
        name: user.name,
        role: user.role === 'operator' ? 'operator' : 'customer',
        twoFactorEnabled: user.twoFactorEnabled === true,
        sinceMs: session.createdAt.getTime(),
      }
    },
  }
}
