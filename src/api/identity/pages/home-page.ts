import type { Page } from './page.ts'
import { CONSOLE } from './read-next.ts'

/** Whoever comes by our name alone is led to the console, and from there to the sign-in. */
export const homePage: Page = {
  url: '/',
  get: async () => ({ kind: 'redirect', to: CONSOLE }),
}
