import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { symmetricDecrypt, verifyJWT } from 'better-auth/crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { MailKind } from '../mails/index.ts'
import type { IdentityTables } from '../tables.ts'
import { endAccess, endLinks } from './end-access.ts'
import type { Guessed, LockOut } from './lock-out.ts'
import { noteCall } from './note-calls.ts'
import type { NoteDeed } from './note-deed.ts'
import type { SendMail } from './send-mail.ts'
import { claimCode } from './used-codes.ts'

export interface AuthHookOptions {
  readonly db: Kysely<IdentityTables>
  /** What better-auth tells the time by, which codes must be told by too. */
  readonly systemClock: Clock
  readonly lockOut: LockOut
  readonly sendMail: SendMail
  readonly noteDeed: NoteDeed
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/** Where who holds a session has to show that they know the password as well. */
const ASKS_PASSWORD: ReadonlySet<string> = new Set([
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
])

/** Our rules around better-auth's own steps; its rate limit and its check of the origin came first. */
export function createAuthHooks(options: AuthHookOptions) {
  const seen: SeenPasswords = new WeakMap()
  return {
    before: createAuthMiddleware(async (context) => {
      const { path } = context
      if (path === '/sign-in/email') await beginSignIn(context, options, seen)
      if (path === '/verify-email') await refuseTakenAddress(context)
      if (path === '/two-factor/verify-totp') return takeCodeOnce(context, options)
      // Who is signed out is known only until then.
      if (path === '/sign-out') await getSessionFromCtx(context)
      if (ASKS_PASSWORD.has(path ?? '')) {
        const session = await getSessionFromCtx(context)
        if (session) await beginGuess(options.lockOut, 'session', session.user.id)
      }
      return undefined
    }),
    after: createAuthMiddleware(async (context) => {
      const isRefused = isAPIError(context.context.returned)
      if (context.path === '/sign-in/email') await endSignIn(context, options, seen)
      else if (!isRefused) await follow(context, options)
      if (!isRefused) await noteCall(context, options.noteDeed)
    }),
  }
}

async function beginGuess(lockOut: LockOut, what: Guessed, who: string): Promise<void> {
  const attempt = await lockOut.begin(what, who)
  if (attempt.kind === 'allowed') return
  throw new APIError(
    'TOO_MANY_REQUESTS',
    { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts. Please try again later.' },
    { 'retry-after': String(attempt.retryAfterS) },
  )
}

/** The hash that a sign-in began with, by its request. */
type SeenPasswords = WeakMap<Request, string | null>

async function beginSignIn(
  context: Context,
  { lockOut }: AuthHookOptions,
  seen: SeenPasswords,
): Promise<void> {
  const { request } = context
  const email = readEmail(context)
  if (email === undefined) return
  await beginGuess(lockOut, 'sign_in', email)
  if (request) seen.set(request, await findHash(context, email))
}

/**
 * A password that is replaced while somebody signs in with it must not leave them a session that the
 * reset, which ended all there were, has never seen: so it is looked at once more after it was made.
 */
async function endSignIn(
  endpoint: Context,
  { lockOut }: AuthHookOptions,
  seen: SeenPasswords,
): Promise<void> {
  const { context, request } = endpoint
  const email = readEmail(endpoint)
  if (email === undefined) return
  const { newSession, returned } = context
  const isRight = newSession !== null || readCode(returned) === 'EMAIL_NOT_VERIFIED'
  if (!isRight) return
  if (newSession && request && seen.get(request) !== (await findHash(endpoint, email))) {
    await context.internalAdapter.deleteSession(newSession.session.token)
    context.setNewSession(null)
    throw new APIError('UNAUTHORIZED', {
      code: 'INVALID_EMAIL_OR_PASSWORD',
      message: 'Invalid email or password',
    })
  }
  await lockOut.clear('sign_in', email)
}

function readEmail({ body }: Context): string | undefined {
  const { email } = (body ?? {}) as { readonly email?: unknown }
  return typeof email === 'string' ? email : undefined
}

function readCode(returned: unknown): string | undefined {
  return isAPIError(returned) ? (returned.body as { code?: string } | undefined)?.code : undefined
}

async function findHash({ context }: Context, email: string): Promise<string | null> {
  const found = await context.internalAdapter.findUserByEmail(email, { includeAccounts: true })
  return found?.accounts.find(({ providerId }) => providerId === 'credential')?.password ?? null
}

/** Only who got the mail has the token, so that nobody learns from it which addresses are taken. */
async function refuseTakenAddress(context: Context): Promise<void> {
  const { token } = (context.query ?? {}) as { readonly token?: unknown }
  if (typeof token !== 'string') return
  const payload = await verifyJWT<{ updateTo?: string }>(token, context.context.secret)
  if (payload?.updateTo === undefined) return
  const taken = await context.context.internalAdapter.findUserByEmail(payload.updateTo)
  if (taken) {
    throw new APIError('CONFLICT', { code: 'ADDRESS_TAKEN', message: 'The address is in use.' })
  }
}

/** A code that was used is passed on as none at all, so that it counts as a wrong one would. */
async function takeCodeOnce(context: Context, { db, systemClock }: AuthHookOptions) {
  const { code } = (context.body ?? {}) as { readonly code?: unknown }
  const personId = await findChallenged(context)
  if (typeof code !== 'string' || personId === undefined) return undefined
  const row = await db
    .selectFrom('two_factor')
    .select('secret')
    .where('user_id', '=', personId)
    .executeTakeFirst()
  if (!row) return undefined
  const secret = await symmetricDecrypt({ key: context.context.secretConfig, data: row.secret })
  const claim = await claimCode(db, { personId, secret, code, nowMs: systemClock.nowMs() })
  if (claim === 'claimed') return undefined
  return { context: { body: { ...(context.body as object), code: 'none' } } }
}

/** Whose second factor is asked for: who is signed in, or has shown their password just now. */
async function findChallenged(context: Context): Promise<string | undefined> {
  const session = await getSessionFromCtx(context)
  if (session) return session.user.id
  const { name } = context.context.createAuthCookie('two_factor')
  const challenge = await context.getSignedCookie(name, context.context.secret)
  if (!challenge) return undefined
  return (await context.context.internalAdapter.findVerificationValue(challenge))?.value
}

/** What has to follow on a call that went well. */
async function follow(context: Context, options: AuthHookOptions): Promise<void> {
  const { path, context: auth } = context
  if (ASKS_PASSWORD.has(path ?? '') && auth.session) {
    await options.lockOut.clear('session', auth.session.user.id)
  }
  if (path === '/change-password' && auth.session) await endAccess(options.db, auth.session.user.id)
  if (path === '/change-email' && auth.session?.user.emailVerified === false) {
    // It is changed already: what was sent to the old address opens nothing any more.
    await endLinks(options.db, auth.session.user.id)
  }
  if (path === '/verify-email') await signNobodyIn(context)
  const kind = findNotice(context)
  if (!kind || !auth.session) return
  options.sendMail({ kind, to: auth.session.user.email, headers: context.headers })
}

/**
 * A change of address that is confirmed where nobody is signed in would sign them in, past their
 * password and their second factor.
 */
async function signNobodyIn({ context }: Context): Promise<void> {
  const { newSession, session } = context
  if (!newSession || session) return
  await context.internalAdapter.deleteSession(newSession.session.token)
  context.setNewSession(null)
  context.responseHeaders?.delete('set-cookie')
}

/** What a person is told of, for it may have been somebody else. */
function findNotice({ path, context }: Context): MailKind | undefined {
  switch (path) {
    case '/change-password':
      return 'password_changed'
    case '/two-factor/verify-totp':
      return context.session?.user['twoFactorEnabled'] === false ? 'two_factor_on' : undefined
    case '/two-factor/disable':
      return 'two_factor_off'
    case '/passkey/verify-registration':
      return 'passkey_added'
    case '/passkey/delete-passkey':
      return 'passkey_removed'
    default:
      return undefined
  }
}
