import type { StripeOptions } from '#payments/index.ts'
import { ask, readObject, type Answer } from '../ask.ts'
import { note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

const STRIPE = 'https://api.stripe.com'
/** Those that are read: without one of them a payment, or its way back, would never be heard of. */
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
]

/** Only reads at Stripe, by the key that the service would use. */
export async function checkPayments(patient: Patient): Promise<Finding[]> {
  const { payments, production } = patient.config
  switch (payments.kind) {
    case 'off':
      return [note('Nobody takes payments: the operator credits by hand.')]
    case 'sandbox':
      return production
        ? [
            warning(
              'Payments are the sandbox in production: whoever signs in can credit pretended money.',
              'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or unset PARLEY_ALLOW_SANDBOX.',
            ),
          ]
        : [note('Payments are the sandbox: no money moves.')]
    case 'stripe':
      return checkStripe(patient, payments)
  }
}

async function checkStripe(patient: Patient, options: StripeOptions): Promise<Finding[]> {
  const isTest = /^(sk|rk)_test_/.test(options.secretKey)
  const [charges, endpoints] = await Promise.all([
    askStripe(patient, options, '/v1/charges?limit=1'),
    askStripe(patient, options, '/v1/webhook_endpoints?limit=100'),
  ])
  const key = judgeKey(charges, isTest)
  if (key.level === 'problem') return [key]
  return [key, ...judgeMode(isTest, patient.config.production), judgeWebhook(endpoints, patient)]
}

function askStripe(
  { timeoutMs }: Patient,
  { secretKey, apiUrl = STRIPE }: StripeOptions,
  path: string,
): Promise<Answer> {
  return ask(apiUrl + path, { timeoutMs, headers: { authorization: `Bearer ${secretKey}` } })
}

function judgeKey(answer: Answer, isTest: boolean): Finding {
  if (answer.kind === 'failed') {
    const advice =
      'Let the service reach api.stripe.com:443. Whether the key is valid is not known.'
    return problem(`Stripe cannot be reached: ${answer.reason}.`, advice)
  }
  if (answer.status === 200) return ok(`Stripe takes the ${isTest ? 'test' : 'live'} key.`)
  if (answer.status === 401) {
    const advice = "Copy STRIPE_SECRET_KEY anew from Stripe's dashboard: it is wrong or was rolled."
    return problem('Stripe refuses the key.', advice)
  }
  if (answer.status === 403) {
    const advice = 'Give a restricted key: Checkout Sessions and Refunds write, Charges read.'
    return problem('Stripe takes the key, which may not read charges.', advice)
  }
  const advice = 'Look at status.stripe.com, and ask again.'
  return warning(`Stripe answers HTTP ${answer.status}.`, advice)
}

function judgeMode(isTest: boolean, production: boolean): Finding[] {
  if (isTest && production) {
    const advice = 'Set the live key and the signing secret of the live webhook.'
    return [warning('It is a test key in production: no real payment is taken.', advice)]
  }
  if (isTest || production) return []
  const advice = 'Use a test key, or set NODE_ENV=production.'
  return [warning('It is a live key outside production: payments are real.', advice)]
}

interface Endpoints {
  readonly data?: readonly {
    readonly url?: string
    readonly status?: string
    readonly enabled_events?: readonly string[]
  }[]
}

/** Whether Stripe will tell us of payments; that the secret is right, only an event shows. */
function judgeWebhook(answer: Answer, { config }: Patient): Finding {
  // Both lead to the same service.
  const origins = [new URL(config.baseUrl).origin, config.issuer]
  const urls = [...new Set(origins)].map((origin) => `${origin}/webhooks/stripe`)
  const place = urls.join(' or ')
  const list = answer.kind === 'answered' ? readObject<Endpoints>(answer.text)?.data : undefined
  if (answer.kind === 'failed' || answer.status !== 200 || !list) {
    return note(`Whether Stripe calls ${place} is not known: the key may not read webhooks.`)
  }
  const endpoint = list.find(({ url }) => url !== undefined && urls.includes(url))
  if (!endpoint) {
    const advice = 'Make one there, with the events that docs/operate/payments.md lists.'
    return problem(`Stripe has no webhook for ${place}: no payment is credited.`, advice)
  }
  if (endpoint.status !== 'enabled') {
    return problem(`Stripe's webhook ${endpoint.url} is ${endpoint.status}.`, 'Enable it there.')
  }
  const events = endpoint.enabled_events ?? []
  const missing = EVENTS.filter((name) => !events.includes(name) && !events.includes('*'))
  if (missing.length === 0) return ok(`Stripe has an enabled webhook, ${endpoint.url}.`)
  return problem(`Stripe's webhook ${endpoint.url} lacks ${missing.join(', ')}.`, 'Add them there.')
}
