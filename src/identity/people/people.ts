import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '#platform/clock.ts'
import type { Mailer } from '#platform/mail/index.ts'
import type { Actor } from '#accounts/index.ts'
import { isTaken } from './auth-database.ts'
import { answer, cleanRequest, type Call } from './clean-request.ts'
import { confirmPerson, type Unconfirmed } from './confirm-person.ts'
import type { Auth } from './create-auth.ts'
import type { PasswordOptions } from './describe-passwords.ts'
import { findPasswordHash } from './find-password.ts'
import { createRemovePerson, type Removal } from './remove-person.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { toHeaders } from './to-headers.ts'

/** A person's session in one browser, and who they are. */
export interface Session {
  readonly id: string
  readonly personId: string
  readonly email: string
  readonly name: string | null
  readonly picture: string | null
  readonly plan: string
  readonly role: 'customer' | 'operator'
  readonly twoFactorEnabled: boolean
  readonly createdAtMs: number
  /** When they signed in. */
  readonly sinceMs: number
}

/** People, and how they sign in. */
export interface People {
  /** Answers a call of the sign-in API (`/api/auth/…`): its limits and rules apply. */
  handle(request: Request): Promise<Response>
  /**
   * Whose session the cookies of a request name; undefined for nobody's. A session that is used goes on:
   * once a day it is prolonged, and its cookie has to be sent anew. It is not prolonged for a caller that
   * has nowhere to send one to, or the browser would forget a session that we still know.
   */
  findSession(
    headers: IncomingHttpHeaders,
    sendCookie?: (cookie: string) => void,
  ): Promise<Session | undefined>
  /** Whether a person has a password: who signs in by passkeys or links alone has none. */
  hasPassword(personId: string): Promise<boolean>
  readonly sessions: Sessions
  /** Whether mail can be sent now. */
  canMail(): boolean
  mailInvitation(order: InvitationOrder): void
  /** Why a session alone is not enough for what only its person may do; undefined where it is. */
  confirm(session: Session, password: string | undefined): Promise<Unconfirmed | undefined>
  /** Forgets the person of a session at their own wish; with their password, if they have one. */
  remove(session: Session, request: RemovalRequest): Promise<Removal>
}

export interface InvitationOrder {
  readonly to: string
  readonly token: string
  /** Whose address the mail says that it follows from. */
  readonly inviter: string
  /** Of whoever invites: the mail is in their language, for that of who gets it is not known. */
  readonly headers: IncomingHttpHeaders
}

export interface RemovalRequest {
  readonly password: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly actor: Actor
}

export interface PeopleOptions extends PasswordOptions {
  readonly auth: Auth
  readonly clock: Clock
  readonly mailer: Mailer
}

/** What ends in a mail that somebody waits for. */
const NEEDS_MAIL: ReadonlySet<string> = new Set([
  '/sign-up/email',
  '/send-verification-email',
  '/request-password-reset',
  '/change-email',
])

/** Each takes 25 ms of a processor: what comes beyond would wait for seconds, and hold its memory. */
const MAX_UNDER_WAY = 256
/** Longer than the work takes where there is little else to do, so that its time tells nothing. */
const FLOOR_MS = 100

export function createPeople(options: PeopleOptions): People {
  const { auth, db, clock, mailer, sendMail } = options
  const removePerson = createRemovePerson(options)
  let underWay = 0

  async function handle(request: Request): Promise<Response> {
    const call = await cleanRequest(request)
    if (call.kind === 'refused') return call.response
    if (NEEDS_MAIL.has(call.path) && !mailer.available) {
      // Refused before anything is begun: an account whose mail is lost could never be used.
      return answer(503, 'MAIL_UNAVAILABLE', 'This service cannot send mail now.')
    }
    // What there is to do for an address that is known differs from what there is for a new one.
    const floor = NEEDS_MAIL.has(call.path) ? delay(FLOOR_MS) : undefined
    const response = await auth.handler(call.request).catch(answerTaken)
    const last = await mend(auth, call, response)
    await floor
    return last
  }

  return {
    async handle(request) {
      if (request.method !== 'POST') return handle(request)
      if (underWay >= MAX_UNDER_WAY) {
        return answer(503, 'TOO_MANY_CALLS', 'Too many people sign in at once. Try again shortly.')
      }
      underWay += 1
      return handle(request).finally(() => (underWay -= 1))
    },
    async findSession(headers, sendCookie) {
      // Most requests have no cookie at all: they cost no look-up.
      if (headers.cookie === undefined) return undefined
      const { response: found, headers: answered } = await auth.api.getSession({
        headers: toHeaders(headers),
        query: { disableRefresh: sendCookie === undefined },
        returnHeaders: true,
      })
      if (!found) return undefined
      for (const cookie of answered.getSetCookie()) sendCookie?.(cookie)
      return describeSession(found)
    },
    hasPassword: async (personId) => (await findPasswordHash(db, personId)) !== undefined,
    sessions: createSessions(db, clock),
    canMail: () => mailer.available,
    mailInvitation({ to, token, inviter, headers }) {
      sendMail({ kind: 'invitation', to, token, detail: inviter, headers: toHeaders(headers) })
    },
    confirm: (session, password) => confirmPerson(options, session, password),
    async remove(session, { password, headers, actor }) {
      const removal = await removePerson(session, actor, password)
      if (removal.kind === 'removed') {
        const to = session.email
        sendMail({ kind: 'account_removed', to, headers: toHeaders(headers) })
      }
      return removal
    },
  }
}

/** Two changes to one new address at once: the second finds it taken. */
function answerTaken(error: unknown): Response {
  if (isTaken(error)) return answer(409, 'ADDRESS_TAKEN', 'The address is in use.')
  throw error
}

/** What better-auth answers otherwise than it should. */
async function mend(auth: Auth, call: Call, response: Response): Promise<Response> {
  if (call.path === '/sign-up/email' && response.status === 422) return signUpAgain(auth, call)
  if (call.path === '/passkey/verify-registration' && response.status === 500) {
    // Whatever a device or a caller did wrong; it is nobody's failure but theirs.
    return answer(400, 'FAILED_TO_VERIFY_REGISTRATION', 'Failed to verify registration')
  }
  return response
}

/**
 * Of two sign-ups of one new address at once better-auth tells the second that it failed, and so that
 * somebody else signs up. It is done again, and finds an address that is known by now.
 */
function signUpAgain(auth: Auth, { body, request }: Call): Promise<Response> {
  const known = body as { readonly name: string; readonly email: string; readonly password: string }
  return auth.api.signUpEmail({ body: known, headers: request.headers, asResponse: true })
}

type Found = NonNullable<Awaited<ReturnType<Auth['api']['getSession']>>>

function describeSession({ user, session }: Found): Session {
  return {
    id: session.id,
    personId: user.id,
    email: user.email,
    name: user.name,
    picture: user.image ?? null,
    plan: user.plan ?? 'FREE',
    role: user.role === 'operator' ? 'operator' : 'customer',
    twoFactorEnabled: user.twoFactorEnabled === true,
    createdAtMs: user.createdAt.getTime(),
    sinceMs: session.createdAt.getTime(),
  }
}
