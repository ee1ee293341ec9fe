import type { Page } from '../../identity/pages/page.ts'

/** What the buttons of the balance do: open a checkout, and lead there, to another origin maybe. */
export const topupAction: Page = {
  url: '/account/topups',
  get: async () => ({ kind: 'redirect', to: '/account' }),
  async post(visit, form) {
    const session = await visit.findSession()
    if (!session) return { kind: 'redirect', to: '/sign-in?next=%2Faccount' }
    const opened = await visit.wallet.open(session, {
      accountId: form.text('account_id'),
      amountEur: form.text('amount_eur'),
      returnPath: '/account',
    })
    return { kind: 'onward', to: opened.checkout_url }
  },
}
