export const OPERATOR_TOKEN = 'operator-token-of-the-tests'
export const BASE_URL = 'http://parley.test/v1'

/** What a service of the tests has, where nothing else is wanted. */
export const APP_OPTIONS = {
  serviceName: 'svc',
  identityText: 'You are {model}.',
  baseUrl: BASE_URL,
  issuer: 'http://parley.test',
  operatorToken: OPERATOR_TOKEN,
  secret: 'secret-of-the-tests-which-is-long-enough',
  ollamaUrl: undefined,
  payments: { kind: 'sandbox' },
  seller: { name: 'svc', address: 'Somewhere 1', vatId: undefined, vatRate: 0 },
} as const
