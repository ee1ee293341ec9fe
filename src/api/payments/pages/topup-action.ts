import type { Page } from '../../identity/pages/page.ts'

/** What the buttons of the balance do: open a checkout, and lead there, to another origin maybe. */
export const topupAction: Page = {
  url: '/account/topups',
  get: async () => ({ kind: 'redirect', to: '/account' }),
  async post(visit, form) {
    const session = await visit.findSession()
    if (!session) return { kind: 'redirect', to: '/sign-in?next=%2Faccount' }
    const opened = await visit.wallet.open(
      session,
      form.text('account_id'),
      form.text('amount_eur'),
    )
    return { kind: 'onward', to: opened.checkout_url }
  },
}
