import { Fault } from '#platform/fault.ts'
import { formatEuros } from '#platform/money.ts'
import {
  SANDBOX_ACTS,
  type Sandbox,
  type SandboxAct,
  type SandboxCheckout,
} from '#payments/index.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import type { Answer, Page, Visit } from '../../identity/pages/page.ts'
import { findNotice, renderNotice, renderFacts } from '../../identity/pages/parts.ts'
import { writeMoney } from './write-money.ts'

const PATH = '/sandbox/checkout'

/**
 * Where test money is paid: buttons for all that can become of a payment. Whoever has its address can
 * play with it, and learns nothing but the amount and what became of it.
 */
export function createSandboxPage(sandbox: Sandbox): Page {
  return {
    url: `${PATH}/:session`,
    async get(visit) {
      const sessionId = sessionOf(visit)
      const checkout = await sandbox.find(sessionId)
      if (!checkout) throw new Fault('not_found', 'There is no checkout at this address.')
      return render(visit, sessionId, checkout)
    },
    async post(visit, form) {
      const sessionId = sessionOf(visit)
      if (!(await sandbox.find(sessionId))) {
        throw new Fault('not_found', 'There is no checkout at this address.')
      }
      const act = SANDBOX_ACTS.find((one) => one === form.text('act'))
      const playing = act && (await sandbox.play(sessionId, act, form.text('seen') || undefined))
      const notice = playing === 'played' ? act : 'impossible'
      const address = `${PATH}/${encodeURIComponent(sessionId)}`
      return { kind: 'redirect', to: `${address}?notice=${notice}` }
    },
  }
}

function sessionOf({ request }: Visit): string {
  return (request.params as { session: string }).session
}

function render(visit: Visit, sessionId: string, checkout: SandboxCheckout): Answer {
  const { payments } = visit.words
  const { sandbox } = payments
  const amount = writeMoney(formatEuros(checkout.amount), visit)
  const rows: (readonly [name: string, value: string])[] = [
    [sandbox.amount, amount],
    [sandbox.state, sandbox.states[checkout.state]],
  ]
  if (checkout.refunded > 0) {
    rows.push([sandbox.refunded, writeMoney(formatEuros(checkout.refunded), visit)])
  }
  if (checkout.dispute !== null) {
    rows.push([sandbox.dispute, sandbox.disputes[checkout.dispute]])
  }
  const main = html`<p class="test-money">${payments.testMoney}</p>
    <h1>${sandbox.heading(amount)}</h1>
    <p class="lead">${sandbox.text}</p>
    ${renderNotice(findNotice(sandbox.notices, visit.query.get('notice')))} ${renderFacts(rows)}
    ${renderActs(visit, sessionId, checkout)} ${renderWayBack(visit, checkout)}`
  return { kind: 'page', title: sandbox.title(amount), main }
}

function renderActs(
  { words }: Visit,
  sessionId: string,
  { acts, state, standing, isAllTold }: SandboxCheckout,
): SafeHtml {
  const { sandbox } = words.payments
  if (acts.length === 0) return html`<p class="soft">${sandbox.over}</p>`
  return html`<section aria-labelledby="acts">
    <h2 id="acts">${state === 'open' ? sandbox.buyer : sandbox.bank}</h2>
    ${!isAllTold && html`<p>${sandbox.untold}</p>`}
    <form method="post" action="${PATH}/${encodeURIComponent(sessionId)}" class="acts">
      <input type="hidden" name="seen" value="${standing}" />
      ${acts.map((act) => renderAct(act, sandbox.acts[act]))}
    </form>
  </section>`
}

function renderAct(act: SandboxAct, label: string): SafeHtml {
  const isMain = act === 'pay' && html` class="main-action"`
  return html`<button type="submit" name="act" value="${act}" ${isMain}>${label}</button>`
}

/** To our own pages alone, whatever the row says. */
function renderWayBack(
  { words, issuer }: Visit,
  { returnUrl, state }: SandboxCheckout,
): SafeHtml | undefined {
  const { sandbox } = words.payments
  if (URL.parse(returnUrl)?.origin !== issuer) return undefined
  const label = state === 'open' ? sandbox.cancel : sandbox.back
  return html`<p class="below"><a href="${returnUrl}">${label}</a></p>`
}
