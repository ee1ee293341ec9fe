import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { SIGN_IN_BY_LINK } from './paths.ts'
import type { SignInLinks } from './sign-in-links.ts'

/** Signing in by a link that is good once. What follows is what follows on a password. */
export function signInByLink({ use }: SignInLinks) {
  const endpoint = createAuthEndpoint(SIGN_IN_BY_LINK, { method: 'POST' }, async (context) => {
    const { token } = (context.body ?? {}) as { readonly token?: unknown }
    const used = typeof token === 'string' ? await use(token) : undefined
    const { internalAdapter } = context.context
    const user = used && (await internalAdapter.findUserById(used.personId))
    if (!user) throw new APIError('GONE', { code: 'LINK_OVER', message: 'The link is not good.' })
    const session = await internalAdapter.createSession(user.id)
    await setSessionCookie(context, { session, user }, false)
    return context.json({ redirect: false })
  })
  return { id: 'sign-in-by-link', endpoints: { signInByLink: endpoint } } satisfies BetterAuthPlugin
}

/**
 * better-auth's second step, which it knows to ask for after a password, after a link as well: it takes
 * the session back that was begun, and asks for the code.
 */
export function twoFactorAfterLinks(options: Parameters<typeof twoFactor>[0]) {
  const plugin = twoFactor(options)
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) =>
      context.path === SIGN_IN_BY_LINK || hook.matcher(context),
  }))
  return { ...plugin, hooks: { ...plugin.hooks, after } }
}
