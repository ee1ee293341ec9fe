import { CONSOLE_SCREENS } from '#api/contract/index.ts'

/** All that anybody may read, on purpose: what describes the service, and nothing that it holds. */
export const PUBLIC = ['GET /v1/openapi.json']

/** What the payment provider calls: its signature, over the whole body, is its credential. */
export const SIGNED = ['POST /webhooks/stripe']

/** Where people sign in, the apps that they sign in to, and the pages of money: test/identity and test/payments have their rules. */
const isIdentity = (address: string): boolean =>
  / \/(api\/(auth|oidc)|interaction|\.well-known)\b/.test(address) ||
  /^(GET|HEAD) \/$/.test(address) ||
  /^(GET|HEAD|POST) \/(sign-in|sign-up|sign-out|verify-email|change-email|forgot-password|reset-password|link|invitation|account|assets|documents|sandbox)(\/|$)/.test(
    address,
  )

/** The console's document and the files that it is built of: the same for everybody. */
const CONSOLE_FILES = /^(GET|HEAD) \/console(\/assets\/[\w.-]+\.(js|css|svg))$/
const isConsole = (address: string): boolean => {
  const path = address.replace(/^(GET|HEAD) /, '').replaceAll(':', '$')
  return CONSOLE_FILES.test(address) || CONSOLE_SCREENS.some((screen) => screen === path)
}
/** The documentation, which is files that were built: the same for everybody. */
const isDocs = (address: string): boolean =>
  /^(GET|HEAD) \/(llms(-full)?\.txt|docs(\/[\w./-]*)?)$/.test(address)
/** Whether this process takes requests, for load balancers. */
const isForBalancers = (address: string): boolean => /^(GET|HEAD) \/up$/.test(address)
/** What has rules of its own. */
export const isListedApart = (address: string): boolean =>
  isIdentity(address) || isConsole(address) || isDocs(address) || isForBalancers(address)
