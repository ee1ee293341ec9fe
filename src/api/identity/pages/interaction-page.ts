import {
  INTERACTION,
  type ConsentRequest,
  type Exchange,
  type InteractionStep,
} from '#identity/index.ts'
import { readDoer } from '../../http/read-doer.ts'
import { describeDestination } from './describe-destination.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import { WORDS, type Words } from './languages.ts'
import type { Answer, Page, Visit } from './page.ts'

/** What an app that somebody signs in to has to be told or allowed: signing in, and consent. */
export const interactionPage: Page = {
  url: `${INTERACTION}/:uid`,
  async get(visit) {
    return answerStep(visit, await visit.openId.interactions.next(await describeExchange(visit)))
  },
  async post(visit, form) {
    const { interactions } = visit.openId
    const exchange = await describeExchange(visit)
    const decision = form.text('decision')
    if (decision === 'allow') return answerStep(visit, await interactions.allow(exchange))
    if (decision === 'deny') return answerStep(visit, await interactions.deny(exchange))
    // Neither was said: it is asked again.
    return answerStep(visit, await interactions.next(exchange))
  },
}

async function describeExchange({ request, reply, findSession }: Visit): Promise<Exchange> {
  const session = await findSession()
  const { uid } = request.params as { readonly uid: string }
  return {
    request: request.raw,
    response: reply.raw,
    uid,
    doer: session && readDoer(request, session.personId, 'person'),
    signedIn: session && { personId: session.personId, sinceMs: session.sinceMs },
  }
}

async function answerStep(visit: Visit, step: InteractionStep): Promise<Answer> {
  switch (step.kind) {
    case 'redirect':
      // Browsers hold redirects that follow a form to the page's form-action.
      return { kind: visit.request.method === 'POST' ? 'onward' : 'redirect', to: step.to }
    case 'sign_in':
      return askToSignIn(visit, step)
    case 'gone':
      return renderGone(visit.words)
    case 'consent':
      return renderConsent(visit, step.request)
  }
}

function askToSignIn(
  { request, cookies, speak }: Visit,
  { again, locales }: { readonly again: boolean; readonly locales: readonly string[] },
): Answer {
  const { language, isSuggested } = speak(locales)
  // For the pages between here and the app's own; a choice of the person's own is left as it is.
  if (isSuggested) cookies.keep('language', `app.${language}`)
  const next = `${INTERACTION}/${(request.params as { readonly uid: string }).uid}`
  const query = new URLSearchParams({ next, ...(again && { again: '1' }) })
  return { kind: 'redirect', to: `/sign-in?${query.toString()}` }
}

function renderGone({ gone }: Words): Answer {
  const main = html`<h1>${gone.title}</h1>
    <p class="lead">${gone.text}</p>
    <p>${gone.what}</p>
    <p class="below"><a href="/account">${gone.account}</a></p>`
  return { kind: 'page', title: gone.title, main, status: 410 }
}

async function renderConsent(visit: Visit, request: ConsentRequest): Promise<Answer> {
  const { language } = visit.speak(request.locales)
  const { consent } = WORDS[language]
  const session = await visit.findSession()
  const destination = describeDestination(request.redirectUri, consent)
  const main = html`<h1><bdi class="app">${request.client.name}</bdi> ${consent.heading}</h1>
    <div class="who">
      <p>${consent.signedInAs} <strong class="address">${session?.email}</strong></p>
      <form method="post" action="/sign-out">
        <input type="hidden" name="next" value="${INTERACTION}/${request.uid}" /><button
          type="submit"
          class="link"
        >
          ${consent.notYou}
        </button>
      </form>
    </div>
    <p>${consent.asks}</p>
    <ul class="scopes">
      ${request.scopes.map((scope) => html`<li>${describeScope(scope, consent)}</li>`)}
    </ul>
    <p>${consent.sentTo} <strong class="address">${destination}</strong>.</p>
    <form method="post" class="choices">
      <button name="decision" value="deny">${consent.deny}</button>
      <button name="decision" value="allow">${consent.allow}</button>
    </form>
    <p class="fine">${consent.never}</p>`
  return { kind: 'page', title: consent.title(request.client.name), main, language }
}

function describeScope(scope: string, consent: Words['consent']): string | SafeHtml {
  const { scopes } = consent
  return Object.hasOwn(scopes, scope)
    ? scopes[scope as keyof typeof scopes]
    : consent.otherScope(scope)
}
