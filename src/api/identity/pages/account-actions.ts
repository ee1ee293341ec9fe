import type { Session } from '#identity/index.ts'
import { readDoer } from '../../http/read-doer.ts'
import type { Page, Visit } from './page.ts'
import { isPlainText, type Form } from './read-form.ts'

/** What the buttons of the account page do. Each leads back to it, and says there what it did. */
export const accountActions: readonly Page[] = [
  describeAction('/account/passkeys/remove', async ({ callApi }, _session, form) => {
    const body = { id: form.text('id') }
    const { isOk } = await callApi({ path: '/passkey/delete-passkey', body })
    return isOk ? 'passkeyRemoved' : undefined
  }),
  describeAction('/account/sessions/end', async ({ people, request }, { personId }, form) =>
    (await people.sessions.end(personId, form.text('id'), readDoer(request, personId, 'person')))
      ? 'sessionEnded'
      : undefined,
  ),
  describeAction('/account/sessions/end-others', async ({ people, request }, { personId, id }) => {
    await people.sessions.endOthers(personId, id, readDoer(request, personId, 'person'))
    return 'sessionsEnded'
  }),
  describeAction('/account/apps/revoke', async ({ identity, request }, { personId }, form) =>
    (await identity.connectedApps.revoke(
      personId,
      form.text('client_id'),
      readDoer(request, personId, 'person'),
    ))
      ? 'appRevoked'
      : undefined,
  ),
]

/** Answers which notice there is to give; undefined where there was nothing to do. */
type Action = (visit: Visit, session: Session, form: Form) => Promise<string | undefined>

function describeAction(url: string, act: Action): Page {
  return {
    url,
    get: async () => ({ kind: 'redirect', to: '/account' }),
    async post(visit, form) {
      const session = await visit.findSession()
      if (!session) return { kind: 'redirect', to: '/sign-in?next=%2Faccount' }
      const isReadable = ['id', 'client_id'].every((name) => isPlainText(form.text(name)))
      const notice = isReadable ? await act(visit, session, form) : undefined
      return { kind: 'redirect', to: notice ? `/account?notice=${notice}` : '/account' }
    },
  }
}
