import assert from 'node:assert/strict'
import { chat, operate } from '../call.ts'
import type { Service } from '../service.ts'

const DAY_MS = 86_400_000

export interface Filling {
  /** How many days before now each call is made. */
  readonly daysAgo?: readonly number[]
  readonly keyNames?: readonly string[]
  readonly depositEur?: string
}

/** The account that somebody has by signing up. */
export async function findAccountId(service: Service, email: string): Promise<string> {
  const { json } = await operate(service, 'GET', `/accounts?email=${encodeURIComponent(email)}`)
  const accountId = json.data.find((account) => account.email === email)?.id
  assert.ok(accountId)
  return accountId
}

/** Real calls with real keys of somebody's account, on days gone by; the clock is back afterwards. */
export async function fillUsage(
  service: Service,
  email: string,
  {
    daysAgo = [28, 27, 25, 24, 20, 19, 18, 17, 14, 13, 9, 8, 7, 6, 4, 3, 2, 1, 0, 0],
    keyNames = ['production', 'laptop of Ana'],
    depositEur = '20.00',
  }: Filling = {},
): Promise<string> {
  const accountId = await findAccountId(service, email)
  const nowMs = service.clock.nowMs()
  const reference = `filling ${email}`
  const credit = { kind: 'deposit', amount_eur: depositEur, reference }
  const credited = await operate(service, 'POST', `/accounts/${accountId}/credits`, credit)
  assert.equal(credited.status, 201, credited.text)
  const keys: string[] = []
  for (const name of keyNames) {
    const { json } = await operate(service, 'POST', `/accounts/${accountId}/keys`, { name })
    keys.push(json.key)
  }
  for (const [index, ago] of daysAgo.entries()) {
    service.clock.set(nowMs - ago * DAY_MS + index * 1_000)
    for (const [place, brand] of (['air', 'prime', 'nova'] as const).entries()) {
      if ((index + place) % 4 === 0) continue
      const content = 'Please tell me of the sea. '.repeat(1 + ((index * 7 + place * 3) % 11) * 20)
      const key = keys[(index + place) % keys.length] ?? ''
      const body = { messages: [{ role: 'user', content }], max_tokens: 200 }
      const answer = await chat(service, key, brand, body)
      assert.equal(answer.status, 200, answer.text)
    }
  }
  service.clock.set(nowMs + 60_000)
  return accountId
}
