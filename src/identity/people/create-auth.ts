import { APIError } from 'better-auth/api'
import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { passkey } from '@better-auth/passkey'
import { systemClock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import { isStoreUnavailable, type Store } from '#platform/store/index.ts'
import { deriveKey } from '../keys/sealing.ts'
import { isTaken, toAuthDatabase } from './auth-database.ts'
import { createAuthHooks } from './auth-hooks.ts'
import { describePasswords, type PasswordOptions } from './describe-passwords.ts'
import { ADDRESS_HEADER, AUTH_PATH, COOKIE_PREFIX } from './paths.ts'
import { signInByLink, twoFactorAfterLinks } from './sign-in-by-link.ts'
import type { SendMail } from './send-mail.ts'
import type { SignInLinks } from './sign-in-links.ts'
import { DIGITS, PERIOD_S } from './used-codes.ts'
import { createWelcome } from './welcome.ts'

export interface AuthOptions extends PasswordOptions {
  readonly store: Store
  readonly log: Log
  /** The origin of {auth_url}. */
  readonly issuer: string
  readonly secret: string
  readonly signInLinks: SignInLinks
}

const DAY_S = 86_400
/** Some browsers say a kilobyte of themselves; what tells them apart comes first. */
const MAX_USER_AGENT_LENGTH = 300

export type Auth = ReturnType<typeof createAuth>

/** How people sign in: better-auth over our tables. */
export function createAuth(options: AuthOptions) {
  const { store, persons, log, issuer, secret, sendMail } = options
  const welcome = createWelcome(options)
  return betterAuth({
    appName: 'Parley',
    baseURL: issuer,
    basePath: AUTH_PATH,
    secret: deriveKey(secret, 'people').toString('base64url'),
    trustedOrigins: [issuer],
    telemetry: { enabled: false },
    // Its spans would say which of its tables and hooks a sign-in went through, and quote its errors.
    experimental: { instrumentation: { enabled: false } },
    logger: createAuthLogger(log),
    // Failures become ours: an answer that tells nothing, and a line of our log.
    onAPIError: { throw: true },
    // Transactions stay off: it would hold one open while it hashes a password, and every charge of
    // the embedded store would wait. Each of its steps can be done again (docs/decisions/0010).
    database: { db: toAuthDatabase(store.db), type: 'postgres', transaction: false },
    ...describePasswords(options),
    user: describeUser(sendMail),
    account: { modelName: 'credential' },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 7 * DAY_S, updateAge: DAY_S, freshAge: 600 },
    rateLimit: { enabled: true, storage: store.engine === 'postgres' ? 'database' : 'memory' },
    databaseHooks: {
      user: { create: { after: ({ id }) => persons.ensureAccount(id, { credit: false }) } },
      session: {
        create: {
          before: async (session) => ({
            data: { ...session, userAgent: session.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) },
          }),
          async after({ userId }) {
            const person = await persons.find(userId)
            if (person?.emailVerified) await welcome(person)
          },
        },
      },
    },
    hooks: createAuthHooks({ ...options, systemClock }),
    advanced: describeSurroundings(issuer),
    plugins: [signInByLink(options.signInLinks), describeTwoFactor(), describePasskeys(issuer)],
  })
}

function describeUser(sendMail: SendMail) {
  return {
    modelName: 'person',
    fields: { image: 'picture' },
    changeEmail: {
      enabled: true,
      // Who came by a link alone may have an address that no mail reaches, as the first person has.
      updateEmailWithoutVerification: true,
      sendChangeEmailConfirmation: async ({ user, newEmail, token }, request) =>
        sendMail({
          kind: 'confirm_change',
          to: user.email,
          token,
          detail: newEmail,
          headers: request?.headers,
        }),
    },
    additionalFields: {
      plan: { type: 'string', required: false, defaultValue: 'FREE', input: false },
      role: { type: 'string', required: false, defaultValue: 'customer', input: false },
    },
  } satisfies BetterAuthOptions['user']
}

function describeSurroundings(issuer: string) {
  return {
    cookiePrefix: COOKIE_PREFIX,
    useSecureCookies: issuer.startsWith('https:'),
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    // Said aloud, for it would leave both out where NODE_ENV is "test".
    disableOriginCheck: false,
    disableCSRFCheck: false,
    database: {
      validateSchema: false,
      generateId: ({ model }) => createId(model === 'user' || model === 'person' ? 'per' : 'row'),
    },
  } satisfies BetterAuthOptions['advanced']
}

function describeTwoFactor() {
  return twoFactorAfterLinks({
    issuer: 'Parley',
    totpOptions: { digits: DIGITS, period: PERIOD_S },
  })
}

function describePasskeys(issuer: string) {
  return passkey({
    rpID: new URL(issuer).hostname,
    rpName: 'Parley',
    origin: issuer,
    // A passkey stands for password and second factor both: the device must know whose it is.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    registration: {
      afterVerification: async ({ verification }) =>
        demandVerification(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) =>
        demandVerification(verification.authenticationInfo.userVerified),
    },
    schema: { passkey: { fields: { credentialID: 'credentialId' } } },
  })
}

/** The device says that it asked for a finger, a face or a PIN; the signature is over that too. */
function demandVerification(isVerified: boolean | undefined): void {
  if (isVerified) return
  throw new APIError('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message: 'The passkey must be unlocked on the device.',
  })
}

const REFUSED_PASSKEY = /^Failed to verify (registration|authentication)$/

/** Its sentences have addresses in them, which are not ours to log: what failed is enough. */
function createAuthLogger(log: Log) {
  return {
    level: 'error',
    log(_level: string, message: string, ...details: readonly unknown[]) {
      const error = details.find((detail) => detail instanceof Error)
      // What a caller sent was no answer of a passkey; the error quotes it.
      if (REFUSED_PASSKEY.test(message) && !isStoreUnavailable(error)) return
      // Two sign-ups of one address at once, which anybody can send as often as they like.
      if (isTaken(error)) return
      if (error) log.error({ error: describeError(error) }, 'signing in failed unexpectedly')
    },
  } as const
}
