import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { passkey } from '@better-auth/passkey'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Persons } from '#accounts/index.ts'
import { createId } from '#platform/ids.ts'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { Store } from '#platform/store/index.ts'
import { deriveKey } from '../keys/sealing.ts'
import { toAuthDatabase } from './auth-database.ts'
import { ADDRESS_HEADER, AUTH_PATH, COOKIE_PREFIX } from './paths.ts'
import { hashPassword, verifyPassword } from './password.ts'

export interface AuthOptions {
  readonly store: Store
  readonly persons: Persons
  readonly log: Log
  /** The origin of {auth_url}. */
  readonly issuer: string
  readonly secret: string
  readonly sendMail: SendMail
}

export type MailKind = 'verify_address' | 'reset_password' | 'known_address' | 'change_address'

/** Never waits for the mail to be sent, which would tell whether there was one. */
export type SendMail = (kind: MailKind, to: string, url: string) => void

const DAY_S = 86_400

export type Auth = ReturnType<typeof createAuth>

/** How people sign in: better-auth over our tables. */
export function createAuth(options: AuthOptions) {
  const { store, persons, log, issuer, secret } = options
  const { hostname } = new URL(issuer)
  return betterAuth({
    appName: 'Parley',
    baseURL: issuer,
    basePath: AUTH_PATH,
    secret: deriveKey(secret, 'people').toString('base64url'),
    trustedOrigins: [issuer],
    telemetry: { enabled: false },
    logger: createAuthLogger(log),
    // Transactions stay off: it would hold one open while it hashes a password, and every charge of
    // the embedded store would wait. Each of its steps can be done again (docs/decisions/0010).
    database: { db: toAuthDatabase(store.db), type: 'postgres', transaction: false },
    ...describePasswords(options),
    user: {
      modelName: 'person',
      fields: { image: 'picture' },
      changeEmail: { enabled: true },
      additionalFields: {
        plan: { type: 'string', required: false, defaultValue: 'FREE', input: false },
        role: { type: 'string', required: false, defaultValue: 'customer', input: false },
      },
    },
    account: { modelName: 'credential' },
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 7 * DAY_S, updateAge: DAY_S, freshAge: 600 },
    rateLimit: { enabled: true, storage: store.engine === 'postgres' ? 'database' : 'memory' },
    databaseHooks: {
      user: { create: { after: ({ id }) => persons.ensureAccount(id, { credit: false }) } },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: issuer.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: {
        validateSchema: false,
        generateId: ({ model }) => createId(model === 'user' || model === 'person' ? 'per' : 'row'),
      },
    },
    plugins: [
      twoFactor({ issuer: 'Parley' }),
      passkey({
        rpID: hostname,
        rpName: 'Parley',
        origin: issuer,
        schema: { passkey: { fields: { credentialID: 'credentialId' } } },
      }),
    ],
  })
}

function describePasswords({ persons, issuer, sendMail }: AuthOptions) {
  return {
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 10,
      maxPasswordLength: 200,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, url }) => sendMail('reset_password', user.email, url),
      onExistingUserSignUp: async ({ user }) => {
        sendMail('known_address', user.email, `${issuer}/forgot-password`)
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      sendVerificationEmail: async ({ user, url }) => sendMail('verify_address', user.email, url),
      afterEmailVerification: ({ id }) => persons.ensureAccount(id, { credit: true }),
    },
  } satisfies BetterAuthOptions
}

/** Its sentences have addresses in them, which are not ours to log: what failed is enough. */
function createAuthLogger(log: Log) {
  return {
    level: 'error',
    log(_level: string, _message: string, ...details: readonly unknown[]) {
      const error = details.find((detail) => detail instanceof Error)
      if (error) log.error({ error: describeError(error) }, 'signing in failed unexpectedly')
    },
  } as const
}
