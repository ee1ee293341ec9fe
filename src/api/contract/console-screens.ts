/**
 * The addresses of the console's screens: the service serves the console at these and no others, and
 * the console's routes are typed by them. `$name` stands for any one piece.
 */
export const CONSOLE_SCREENS = [
  '/console',
  '/console/start',
  '/console/keys',
  '/console/playground',
  '/console/usage',
  '/console/requests',
  '/console/balance',
  '/console/limits',
  '/console/members',
  '/console/connected-apps',
  '/console/activity',
  '/console/account',
  '/console/operator',
  '/console/operator/accounts',
  '/console/operator/accounts/$accountId',
  '/console/operator/people',
  '/console/operator/models',
  '/console/operator/payments',
  '/console/operator/clients',
  '/console/operator/books',
  '/console/operator/audit',
] as const

export type ConsoleScreen = (typeof CONSOLE_SCREENS)[number]
