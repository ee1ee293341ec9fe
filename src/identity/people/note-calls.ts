import type { createAuthMiddleware } from 'better-auth/api'
import type { NoteDeed } from './note-deed.ts'
import { SIGN_IN_BY_LINK } from './paths.ts'

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]
type Action = Parameters<NoteDeed>[1]

/** By what somebody signs in, by the path that begins the session. */
const WAYS_IN: Readonly<Record<string, string>> = {
  '/sign-in/email': 'password',
  [SIGN_IN_BY_LINK]: 'link',
  '/passkey/verify-authentication': 'passkey',
  '/two-factor/verify-totp': 'code',
  '/two-factor/verify-backup-code': 'recovery_code',
}

/** After these alone a second factor is asked for: the session that was begun is taken back. */
const FIRST_STEPS: ReadonlySet<string> = new Set(['/sign-in/email', SIGN_IN_BY_LINK])

/** What is written down of a call of the sign-in API that went well. */
export async function noteCall(context: Context, noteDeed: NoteDeed): Promise<void> {
  const { path, headers, context: auth } = context
  const { newSession, session } = auth
  const by = WAYS_IN[path]
  if (by !== undefined && newSession && !session) {
    const waits = newSession.user['twoFactorEnabled'] === true && FIRST_STEPS.has(path)
    if (!waits) await noteDeed(newSession.user.id, 'session.begun', headers, { by })
    return
  }
  if (!session) return
  const action = await findAction(context)
  if (action) await noteDeed(session.user.id, action, headers)
}

async function findAction(context: Context): Promise<Action | undefined> {
  switch (context.path) {
    case '/sign-out':
      return 'session.ended'
    case '/change-password':
      return 'password.changed'
    case '/change-email':
      return (await isChanged(context)) ? 'email.changed' : 'email.change_asked'
    case '/two-factor/verify-totp':
      return context.context.session?.user['twoFactorEnabled'] === false
        ? 'two_factor.on'
        : undefined
    case '/two-factor/disable':
      return 'two_factor.off'
    case '/two-factor/generate-backup-codes':
      return 'two_factor.codes_made'
    case '/passkey/verify-registration':
      return 'passkey.added'
    case '/passkey/delete-passkey':
      return 'passkey.removed'
    default:
      return undefined
  }
}

/** An address that was never confirmed is changed at once; any other when both its mails are followed. */
async function isChanged({ context, body }: Context): Promise<boolean> {
  const { newEmail } = (body ?? {}) as { readonly newEmail?: unknown }
  if (typeof newEmail !== 'string' || !context.session) return false
  const person = await context.internalAdapter.findUserById(context.session.user.id)
  return person?.email === newEmail.toLowerCase()
}
