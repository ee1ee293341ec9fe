import type { Accepting, Invitation } from '#accounts/index.ts'
import { INVITATION_PATH, type Session } from '#identity/index.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import { readDoer } from '../../http/read-doer.ts'
import type { Answer, Page, Visit } from './page.ts'
import { renderFacts, renderProblems, renderSubmit } from './parts.ts'
import { CONSOLE } from './read-next.ts'
import { readToken } from './read-token.ts'

/**
 * Where the link of an invitation leads. Opening it does nothing yet: mail programs open links too. Accepting
 * takes a session of who was invited, so that a mail that is passed on lets nobody else in.
 */
export const invitationPage: Page = {
  url: INVITATION_PATH,
  async get(visit) {
    const token = readToken(visit.query) ?? ''
    const found = await visit.members.findInvitation(token)
    return found ? render(visit, found, token) : renderGone(visit)
  },
  async post(visit) {
    const token = readToken(visit.query) ?? ''
    const session = await visit.findSession()
    const found = await visit.members.findInvitation(token)
    if (!found) return renderGone(visit)
    if (!session) return render(visit, found, token)
    const { personId } = session
    const doer = readDoer(visit.request, personId, 'person')
    return answerTo(visit, await visit.members.accept(token, personId, doer), [found, token])
  },
}

/** Who invites, and what stands in the way of whoever looks, if anything. */
interface Found extends Invitation {
  readonly invitedBy: string
}

function answerTo(
  visit: Visit,
  accepting: Accepting,
  [found, token]: readonly [Found, string],
): Answer | Promise<Answer> {
  switch (accepting.kind) {
    case 'accepted':
      return { kind: 'redirect', to: `${CONSOLE}?account=${accepting.accountId}` }
    case 'over':
      return renderGone(visit)
    case 'full':
      return render(visit, found, token, visit.words.invitation.full)
    // The page says by itself who is signed in, and who was invited.
    case 'another_person':
    case 'unconfirmed':
      return render(visit, found, token)
  }
}

async function render(
  visit: Visit,
  found: Found,
  token: string,
  problem?: string,
): Promise<Answer> {
  const { words, persons, reply } = visit
  const { invitation } = words
  // What it carries is for us alone.
  reply.header('referrer-policy', 'strict-origin')
  const inviter = await persons.find(found.invitedBy)
  const session = await visit.findSession()
  const problems = problem === undefined ? [] : [{ text: problem }]
  const rows = [
    [invitation.from, html`<span class="address">${inviter?.email ?? '–'}</span>`],
    [invitation.to, html`<span class="address">${found.email}</span>`],
    [invitation.account, found.accountId],
    [invitation.role, invitation.roles[found.role]],
  ] as const
  const main = html`<h1>${invitation.title}</h1>
    ${renderProblems(problems, words)} ${renderFacts(rows)}
    <p>${invitation.may[found.role]}</p>
    ${await renderWayOn(visit, { found, token, session })}`
  const status = problem === undefined ? 200 : 409
  return { kind: 'page', title: invitation.title, main, status, hasProblems: problems.length > 0 }
}

interface Way {
  readonly found: Found
  readonly token: string
  readonly session: Session | undefined
}

async function renderWayOn(visit: Visit, { found, token, session }: Way): Promise<SafeHtml> {
  const { invitation, signIn } = visit.words
  const here = `${INVITATION_PATH}?token=${token}`
  const next = new URLSearchParams({ next: here }).toString()
  if (!session) {
    return html`<p>${invitation.signInFirst}</p>
      <p class="choices">
        <a class="button main-action" href="/sign-in?${next}">${signIn.submit}</a>
        <a class="button" href="/sign-up?${next}">${invitation.signUp}</a>
      </p>`
  }
  if (session.email !== found.email) {
    return html`<p>${invitation.another} <strong class="address">${session.email}</strong>.</p>
      <form method="post" action="/sign-out">
        <input type="hidden" name="next" value="${here}" />
        ${renderSubmit(invitation.switch)}
      </form>`
  }
  const person = await visit.persons.find(session.personId)
  if (!person?.emailVerified) return html`<p class="problem">${invitation.unconfirmed}</p>`
  return html`<form method="post">${renderSubmit(invitation.accept)}</form>`
}

function renderGone({ words }: Visit): Answer {
  const { invitation } = words
  const main = html`<h1>${invitation.goneTitle}</h1>
    <p class="lead">${invitation.goneText}</p>
    <p><a class="button main-action" href="${CONSOLE}">${invitation.toConsole}</a></p>`
  return { kind: 'page', title: invitation.goneTitle, main, status: 410 }
}
