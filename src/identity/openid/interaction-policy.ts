import { interactionPolicy } from 'oidc-provider'
import type { FindSignedIn } from './signed-in.ts'

/** Why a person is asked to sign in, beside the provider's own reasons. */
export const NO_ACCOUNT = 'no_account'

/** What an authorization may ask a person, and when. */
export function createInteractionPolicy(findSignedIn: FindSignedIn) {
  const { base, Check, Prompt } = interactionPolicy
  const policy = base()
  const login = policy.get('login')
  login?.checks.remove('no_session')
  // Our own session decides who is signed in: the provider's outlives the sign-out.
  login?.checks.add(
    new Check('no_session', 'nobody is signed in', 'login_required', async (context) => {
      const signedIn = await findSignedIn(context)
      return signedIn === undefined || signedIn.personId !== context.oidc.session?.accountId
    }),
  )
  login?.checks.add(
    new Check(NO_ACCOUNT, 'the account is not verified', 'login_required', ({ oidc }) => {
      return oidc.session?.accountId !== undefined && oidc.account === undefined
    }),
  )
  // A browser has one person signed in: choosing another is signing in again.
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  return policy
}
