import type { Page } from './page.ts'

/** Whoever comes by our name alone is led to their account, and from there to the sign-in. */
export const homePage: Page = {
  url: '/',
  get: async () => ({ kind: 'redirect', to: '/account' }),
}
