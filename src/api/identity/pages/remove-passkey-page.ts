import type { Page } from './page.ts'

export const removePasskeyPage: Page = {
  url: '/account/passkeys/remove',
  get: async () => ({ kind: 'redirect', to: '/account' }),
  async post(visit, form) {
    const answer = await visit.callApi({
      path: '/passkey/delete-passkey',
      body: { id: form.text('id') },
    })
    return {
      kind: 'redirect',
      to: answer.isOk ? '/account?notice=passkeyRemoved' : '/account',
    }
  },
}
