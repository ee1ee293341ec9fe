import { renderFacts } from '../../identity/pages/parts.ts'
import { Fault } from '#platform/fault.ts'
import { formatEuros } from '#platform/money.ts'
import { TOPUP_EUROS, type BillingDocumentTable } from '#payments/index.ts'
import type { MemberAccount } from '../../contract/index.ts'
import { writeDay } from '../../identity/pages/account-sections.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import type { Visit } from '../../identity/pages/page.ts'
import { writeTopupEuros } from '../write-payment.ts'
import { writeMoney, writeSum } from './write-money.ts'

/** Few have more than one, and the console lists them all. */
const MAX_ACCOUNTS = 10
const MAX_DOCUMENTS = 10

/** What a person has, how to have more, and the papers of what they paid. */
export async function renderBalance(visit: Visit, personId: string): Promise<SafeHtml> {
  const { wallet, words } = visit
  const { balance, testMoney } = words.payments
  const page = { before: undefined, limit: MAX_ACCOUNTS }
  const { data: all } = await wallet.accounts(personId, page)
  const accounts = all.filter(({ rights }) => rights.includes('see_money'))
  const isMany = accounts.length > 1
  return html`<section aria-labelledby="balance">
    <h2 id="balance">${balance.title}</h2>
    ${
      wallet.takes?.isTest &&
      html`<p class="test-money">${testMoney}</p>
        <p class="soft">${balance.testText}</p>`
    }
    ${await Promise.all(accounts.map((account) => renderAccount(visit, account, isMany)))}
  </section>`
}

async function renderAccount(
  visit: Visit,
  account: MemberAccount,
  isMany: boolean,
): Promise<SafeHtml> {
  const { balance } = visit.words.payments
  const rows = [
    [balance.balance, writeSum(account.balance_eur, visit)],
    [balance.deposits, writeSum(account.deposits_eur, visit)],
    [balance.tier, account.tier],
  ] as const
  return html`${isMany && html`<h3>${balance.accountOf(account.id)}</h3>`}
  ${account.suspended && html`<p class="problem">${balance.suspended}</p>`} ${renderFacts(rows)}
  ${visit.wallet.takes && account.rights.includes('pay') && renderTopUp(visit, account, isMany)}
  ${await renderDocuments(visit, account)}`
}

function renderTopUp(visit: Visit, { id }: MemberAccount, isMany: boolean): SafeHtml {
  const { balance } = visit.words.payments
  return html`<form method="post" action="/account/topups">
    <input type="hidden" name="account_id" value="${id}" />
    <fieldset>
      <legend>
        ${balance.topUp} ${isMany && html`<span class="unseen">${balance.accountOf(id)}</span>`}
      </legend>
      <div class="amounts">
        ${TOPUP_EUROS.map(writeTopupEuros).map(
          (amount) =>
            html`<button type="submit" name="amount_eur" value="${amount}">
              ${writeMoney(amount, visit)}
            </button>`,
        )}
      </div>
    </fieldset>
  </form>`
}

async function renderDocuments(visit: Visit, { id }: MemberAccount): Promise<SafeHtml> {
  const { balance, paper } = visit.words.payments
  const documents = await visit.wallet.latestDocuments(id, MAX_DOCUMENTS)
  if (documents.length === 0) return html`<p class="soft">${balance.noDocuments}</p>`
  return html`<h3>${balance.documents}</h3>
    <ul class="rows">
      ${documents.map(
        (one) =>
          html`<li>
            <span
              ><a href="/documents/${one.number}">${paper.kinds[one.kind]} ${one.number}</a>
              <span class="soft">${writeDay(one.issued_at, visit)}</span></span
            >
            <span>${writeSum(signedEuros(one), visit)}</span>
          </li>`,
      )}
    </ul>`
}

/** What was given back has a minus. */
function signedEuros({ kind, amount_nano: amount }: BillingDocumentTable): string {
  return kind === 'receipt' ? formatEuros(amount) : `-${formatEuros(amount)}`
}

/** What to say to somebody who comes back from a checkout; undefined for who does not. */
export async function findTopupNotice(visit: Visit, personId: string): Promise<string | undefined> {
  const { wallet, words, query } = visit
  const id = query.get('topup')
  if (id === null || !wallet.takes) return undefined
  try {
    const { state, amount_eur: amountEur } = await wallet.findTopup(personId, id)
    return words.payments.balance.topups[state](writeMoney(amountEur, visit))
  } catch (error) {
    if (error instanceof Fault && /^not_(found|permitted)$/.test(error.code)) return undefined
    throw error
  }
}
