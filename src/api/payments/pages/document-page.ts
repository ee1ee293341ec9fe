import { renderFacts } from '../../identity/pages/parts.ts'
import { Fault } from '#platform/fault.ts'
import { formatEuros } from '#platform/money.ts'
import type { IssuedDocument } from '#payments/index.ts'
import type { Speech } from '../../identity/pages/account-sections.ts'
import { writeDay } from '../../identity/pages/account-sections.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import type { Page } from '../../identity/pages/page.ts'
import { isDocumentNumber } from './is-document-number.ts'
import { writeExactMoney, writePercent } from './write-money.ts'

/** A receipt or a credit note, to be printed: for whoever owns the account, and for operators. */
export const documentPage: Page = {
  url: '/documents/:number',
  async get(visit) {
    const { number } = visit.request.params as { number: string }
    if (!isDocumentNumber(number)) throw noSuchDocument()
    const session = await visit.findSession()
    if (!session) {
      const next = encodeURIComponent(`/documents/${number}`)
      return { kind: 'redirect', to: `/sign-in?next=${next}` }
    }
    const document = await visit.wallet.findDocument(session, number)
    if (!document) throw noSuchDocument()
    const title = `${visit.words.payments.paper.kinds[document.kind]} ${document.number}`
    return { kind: 'page', title, main: renderDocument(document, visit), isPaper: true }
  },
}

function noSuchDocument(): Fault {
  return new Fault('not_found', 'There is no document with this number.')
}

export function renderDocument(document: IssuedDocument, speech: Speech): SafeHtml {
  const { payments } = speech.words
  const { paper } = payments
  const { isTest, kind, number, corrects, buyer, topupId } = document
  const facts = [
    [paper.number, number],
    [paper.date, writeDay(document.issuedAtMs, speech)],
    ...(corrects === undefined ? [] : [[paper.corrects, corrects] as const]),
    [paper.reference, topupId],
  ] as const
  return html`${isTest && html`<p class="test-money">${payments.testMoney}</p>`}
    <article class="sheet" ${isTest && html`data-stamp="${payments.testMoney}"`}>
      <h1>${paper.kinds[kind]}</h1>
      ${renderFacts(facts)}
      <div class="parties">
        ${renderSeller(document, speech)}
        <div>
          <h2>${paper.buyer}</h2>
          <p><bdi>${buyer}</bdi></p>
        </div>
      </div>
      ${renderFigures(document, speech)} ${isTest && html`<p class="fine">${paper.testText}</p>`}
    </article>
    <div class="tools">
      <button type="button" hidden data-print>${paper.print}</button>
      <p><a href="/account">${paper.back}</a></p>
    </div>`
}

function renderSeller({ seller }: IssuedDocument, { words }: Speech): SafeHtml {
  const { paper } = words.payments
  return html`<div>
    <h2>${paper.seller}</h2>
    <p><bdi>${seller.name}</bdi></p>
    ${seller.address !== '' && html`<p class="lines"><bdi>${seller.address}</bdi></p>`}
    ${seller.vatId !== undefined && html`<p>${paper.vatId}: ${seller.vatId}</p>`}
  </div>`
}

function renderFigures(document: IssuedDocument, speech: Speech): SafeHtml {
  const { paper } = speech.words.payments
  const isReceipt = document.kind === 'receipt'
  const write = (amount: IssuedDocument['amount']) => writeExactMoney(formatEuros(amount), speech)
  const rate = writePercent(document.seller.vatRate, speech)
  return html`<table class="figures">
    <thead>
      <tr>
        <th scope="col">${paper.item}</th>
        <th scope="col">${paper.amount}</th>
      </tr>
    </thead>
    <tbody>
      <tr>
        <th scope="row">${isReceipt ? paper.prepaid : paper.refund} (${paper.net})</th>
        <td>${write(document.net)}</td>
      </tr>
      <tr>
        <th scope="row">${paper.tax(rate)}</th>
        <td>${write(document.tax)}</td>
      </tr>
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">${isReceipt ? paper.paid : paper.givenBack}</th>
        <td>${write(document.amount)}</td>
      </tr>
    </tfoot>
  </table>`
}
