import type { Session } from '#identity/index.ts'
import { findTopupNotice, renderBalance } from '../../payments/pages/render-balance.ts'
import { renderApps, renderSessions, writeDay } from './account-sections.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import type { Answer, Page, Visit } from './page.ts'
import { findNotice, renderNotice, renderFacts } from './parts.ts'

/** Who one is here. */
export const accountPage: Page = {
  url: '/account',
  async get(visit) {
    const session = await visit.findSession()
    if (!session) return { kind: 'redirect', to: '/sign-in?next=%2Faccount' }
    return render(visit, session)
  },
}

async function render(visit: Visit, session: Session): Promise<Answer> {
  const { words, query, persons } = visit
  const { account } = words
  const person = await persons.find(session.personId)
  const notice =
    findNotice(account.notices, query.get('notice')) ??
    (await findTopupNotice(visit, session.personId))
  const plan = account.plans[person?.plan ?? 'FREE']
  const rows = [
    [account.name, html`<bdi>${session.name ?? '–'}</bdi>`],
    [account.email, html`<span class="address">${session.email}</span>`],
    [account.plan, plan],
    [account.twoFactor, session.twoFactorEnabled ? account.on : account.off],
  ] as const
  const main = html`<h1>${account.title}</h1>
    ${renderNotice(notice)} ${renderFacts(rows)} ${await renderBalance(visit, session.personId)}
    ${await renderPasskeys(visit)} ${await renderOthers(visit, session)}
    <form method="post" action="/sign-out" class="second">
      <button type="submit">${account.signOut}</button>
    </form>`
  return { kind: 'page', title: account.title, main }
}

async function renderOthers(visit: Visit, { id, personId }: Session): Promise<SafeHtml[]> {
  const { people, identity } = visit
  return [
    renderApps(await identity.connectedApps.list(personId), visit),
    renderSessions(await people.sessions.list(personId), id, visit),
  ]
}

interface Passkey {
  readonly id: string
  readonly name?: string | null
  readonly createdAt?: string | null
}

async function renderPasskeys(visit: Visit): Promise<SafeHtml> {
  const { words } = visit
  const { account, passkey } = words
  const answer = await visit.callApi({ path: '/passkey/list-user-passkeys' })
  const passkeys = answer.isOk && Array.isArray(answer.body) ? (answer.body as Passkey[]) : []
  return html`<section aria-labelledby="passkeys">
    <h2 id="passkeys">${account.passkeys}</h2>
    <p>${account.passkeysText}</p>
    ${
      passkeys.length === 0
        ? html`<p class="soft">${account.noPasskeys}</p>`
        : html`<ul class="rows">
            ${passkeys.map((one) => renderPasskey(one, visit))}
          </ul>`
    }
    <div
      hidden
      data-passkey="add"
      data-next="/account?notice=passkeyAdded"
      data-failed="${passkey.addFailed}"
      data-cancelled="${passkey.addFailed}"
      data-stale="${passkey.stale}"
      data-waiting="${passkey.waiting}"
    >
      <button type="button">${account.addPasskey}</button>
      <p class="passkey-status" role="status"></p>
    </div>
  </section>`
}

function renderPasskey({ id, name, createdAt }: Passkey, visit: Visit): SafeHtml {
  const { account } = visit.words
  const shown = name || account.unnamedPasskey
  const added = createdAt && account.addedOn(writeDay(Date.parse(createdAt), visit))
  return html`<li>
    <span><bdi>${shown}</bdi> ${added ? html`<span class="soft">${added}</span>` : undefined}</span>
    <form method="post" action="/account/passkeys/remove">
      <input type="hidden" name="id" value="${id}" />
      <button type="submit" class="link" aria-label="${account.removePasskey(shown)}">
        ${account.remove}
      </button>
    </form>
  </li>`
}
