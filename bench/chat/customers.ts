import { parseEuros } from '#platform/money.ts'
import { OPERATOR_TOKEN } from './service.ts'

/** Those who pay for the load: as many accounts as it takes that none meets a limit. */
export interface Customers {
  readonly keys: readonly string[]
  /** What is wrong with the books after so many requests that cost so much in all. */
  findProblems(expected: Expected): Promise<string[]>
}

export interface Expected {
  readonly requests: number
  readonly costNano: number
  /** Those whose clients left, and the most that they can have cost: what each did is not known. */
  readonly left?: { readonly requests: number; readonly costNano: number }
  /** Accounts besides, which have their free credit alone. */
  readonly limited?: number
}

const NOBODY_LEFT = { requests: 0, costNano: 0 }

/**
 * An account of the highest tier has 500 requests a minute. 600 of them take 300 000 a minute: 10 000
 * a second in the half of the time that the service is under load, far more than one core serves.
 * They are opened at the operator's door, so that nothing but the public surface is relied on.
 */
const ACCOUNTS = 600

/** Above 100 € an account is of the highest tier; and no round comes near the end of this. */
const DEPOSIT_EUR = '1000'
const DEPOSIT_NANO = 1_000_000_000_000
const FREE_CREDIT_NANO = 1_000_000_000

/** A grant and a deposit. */
const CREDITS_EACH = 2
const OPENED_AT_ONCE = 8
const MAX_PAGE = 200

export async function openCustomers(origin: string): Promise<Customers> {
  const keys: string[] = []
  let opened = 0
  async function openInTurn(): Promise<void> {
    while (opened < ACCOUNTS) keys.push(await openAccount(origin, (opened += 1)))
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openInTurn))
  return {
    keys,
    async findProblems({ requests, costNano, left = NOBODY_LEFT, limited = 0 }) {
      const books = await operate(origin, 'GET', '/ledger/verify')
      const credited = ACCOUNTS * (DEPOSIT_NANO + FREE_CREDIT_NANO) + limited * FREE_CREDIT_NANO
      const charged = credited - (await sumBalances(origin))
      const transfers = ACCOUNTS * CREDITS_EACH + limited + requests
      return [
        ...(books.ok ? [] : [`the books do not add up: ${books.discrepancies[0]}`]),
        ...expectWithin('transfers', books.transfers, transfers, left.requests),
        ...expectWithin('nano-euros charged', charged, costNano, left.costNano),
      ]
    },
  }
}

/** The key of somebody of the lowest tier: all but ten of their requests a minute are refused. */
export async function openLimited(origin: string): Promise<string> {
  const { id } = await operate(origin, 'POST', '/accounts', { email: 'limited@example.com' })
  const { key } = await operate(origin, 'POST', `/accounts/${id}/keys`, { name: 'bench' })
  return key
}

async function openAccount(origin: string, number: number): Promise<string> {
  const email = `customer-${number}@example.com`
  const { id } = await operate(origin, 'POST', '/accounts', { email })
  const credit = { kind: 'deposit', amount_eur: DEPOSIT_EUR, reference: `bench-${number}` }
  await operate(origin, 'POST', `/accounts/${id}/credits`, credit)
  const { key } = await operate(origin, 'POST', `/accounts/${id}/keys`, { name: 'bench' })
  return key
}

/** In nano-euros. */
async function sumBalances(origin: string): Promise<number> {
  let sum = 0
  let cursor: string | null = ''
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await operate(origin, 'GET', `/accounts?limit=${MAX_PAGE}${from}`)
    for (const { balance_eur } of page.data) sum += parseEuros(balance_eur) ?? NaN
    cursor = page.next_cursor
  }
  return sum
}

/** Asks at the operator's door; the shapes are the contract's own concern. */
export async function operate(
  origin: string,
  method: string,
  path: string,
  body?: object,
  // oxlint-disable-next-line typescript/no-explicit-any -- said above
): Promise<any> {
  const response = await fetch(`${origin}/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.ok) return response.json()
  throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

function expectWithin(what: string, found: number, least: number, more: number): string[] {
  if (found >= least && found <= least + more) return []
  const expected = more === 0 ? String(least) : `${least} to ${least + more}`
  return [`${found} ${what} in place of ${expected}`]
}
