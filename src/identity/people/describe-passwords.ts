import type { BetterAuthOptions } from 'better-auth'
import type { Kysely } from 'kysely'
import type { Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import type { CreditedAddresses } from './credited-addresses.ts'
import { createWelcome } from './welcome.ts'
import { endAccess, endLinks } from './end-access.ts'
import type { LockOut } from './lock-out.ts'
import { hashPassword, verifyPassword } from './password.ts'
import type { NoteDeed } from './note-deed.ts'
import type { SendMail } from './send-mail.ts'

export interface PasswordOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly creditedAddresses: CreditedAddresses
  readonly lockOut: LockOut
  readonly sendMail: SendMail
  readonly noteDeed: NoteDeed
}

const LINK_LIFETIME_S = 3_600

/** Passwords, and the mails by which an address is shown to be one's own. */
export function describePasswords(options: PasswordOptions) {
  const { db, persons, lockOut, sendMail, noteDeed } = options
  const welcome = createWelcome(options)
  return {
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 10,
      maxPasswordLength: 200,
      resetPasswordTokenExpiresIn: LINK_LIFETIME_S,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }, request) =>
        sendMail({ kind: 'reset_password', to: user.email, token, headers: request?.headers }),
      onExistingUserSignUp: async ({ user }, request) =>
        sendMail({ kind: 'known_address', to: user.email, headers: request?.headers }),
      // The mail with the link reached them, which is all that verification asks for.
      onPasswordReset: async ({ user }, request) => {
        await persons.confirmAddress(user.id)
        await endAccess(db, user.id)
        await lockOut.clear('sign_in', user.email)
        await lockOut.clear('session', user.id)
        await welcome(user)
        await noteDeed(user.id, 'password.reset', request?.headers)
        sendMail({ kind: 'password_changed', to: user.email, headers: request?.headers })
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: LINK_LIFETIME_S,
      sendVerificationEmail: async ({ user, token }, request) => {
        const kind = isOfChange(token) ? 'verify_change' : 'verify_address'
        sendMail({ kind, to: user.email, token, headers: request?.headers })
      },
      afterEmailVerification: async (user, request) => {
        const token = request && new URL(request.url).searchParams.get('token')
        if (token && isOfChange(token)) {
          await endLinks(db, user.id)
          await noteDeed(user.id, 'email.changed', request.headers)
        }
        await welcome(user)
      },
    },
  } satisfies BetterAuthOptions
}

/** What a token says that we are about to send, or that has been verified. */
function isOfChange(token: string): boolean {
  const payload = Buffer.from(token.split('.', 2)[1] ?? '', 'base64url').toString('utf8')
  return (JSON.parse(payload) as { requestType?: string }).requestType !== undefined
}
