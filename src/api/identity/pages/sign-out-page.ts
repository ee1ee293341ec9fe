import { html } from '#platform/html.ts'
import type { Page } from './page.ts'
import { CONSOLE, leadsToApp, readNext } from './read-next.ts'

export const signOutPage: Page = {
  url: '/sign-out',
  async get({ findSession, words }) {
    const session = await findSession()
    if (!session) return { kind: 'redirect', to: '/sign-in' }
    const { signOut } = words
    const main = html`<h1>${signOut.title}</h1>
      <p class="lead">${signOut.text} <strong class="address">${session.email}</strong></p>
      <form method="post" action="/sign-out" class="choices">
        <a class="button" href="${CONSOLE}">${signOut.stay}</a>
        <button type="submit">${signOut.submit}</button>
      </form>`
    return { kind: 'page', title: signOut.title, main }
  },
  /** With `next`, for who finds somebody else signed in: they go on as themselves. */
  async post(visit, form) {
    const answer = await visit.callApi({ path: '/sign-out', body: {} })
    if (!answer.isOk) return { kind: 'redirect', to: '/sign-out' }
    const next = readNext(form.text('next'))
    if (next === undefined) return { kind: 'redirect', to: '/sign-in?notice=signedOut' }
    return { kind: leadsToApp(next) ? 'onward' : 'redirect', to: next }
  },
}
