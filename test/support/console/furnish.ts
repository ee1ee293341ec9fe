import type { Page } from 'playwright-core'
import { chat, credit, operate } from '../call.ts'
import type { Reply } from '../fake-upstream/index.ts'
import { createManualClock } from '../manual-clock.ts'
import { serveWithUpstream, type Scope, type Service } from '../service.ts'
import { signInTo } from './open-console.ts'

/** When all that is shown happens to be looked at. */
export const NOW_MS = Date.UTC(2026, 10, 20, 15, 24)
const DAY_MS = 86_400_000

/** A service with a model server of its own, at which a month of calls can be made in a second. */
export async function serveConsole(scope: Scope): Promise<Service> {
  let calls = 0
  const { service } = await serveWithUpstream(
    scope,
    (): Reply => {
      calls += 1
      // Never the same twice, and the same every time that it is run.
      const promptTokens = 300 + ((calls * 7_919) % 2_600)
      const completionTokens = 60 + ((calls * 104_729) % 900)
      return { content: 'Of course.', usage: { promptTokens, completionTokens } }
    },
    {
      identity: 'localhost',
      trustedProxies: ['127.0.0.1'],
      clock: createManualClock(NOW_MS - 40 * DAY_MS),
    },
  )
  return service
}

/** Who has used the service for a while: money, keys and calls on most days, all by the real ways. */
export async function furnish(
  service: Service,
  page: Page,
  email: string,
  days = 34,
): Promise<{ readonly accountId: string; readonly key: string }> {
  // Sessions begin at the end of it, or they would be over.
  service.clock.set(NOW_MS)
  await signInTo(service, page, email)
  const found = await operate(service, 'GET', `/accounts?email=${encodeURIComponent(email)}`)
  const accountId: string = found.json.data[0].id
  service.clock.set(NOW_MS - days * DAY_MS)
  await credit(service, accountId, 'deposit', '50.00')
  const keys: string[] = []
  for (const name of ['production', 'staging', 'Ana’s laptop']) {
    const { json } = await operate(service, 'POST', `/accounts/${accountId}/keys`, { name })
    keys.push(json.key)
  }
  const [key = ''] = keys
  for (let day = days; day >= 0; day -= 1) {
    await callAround(service, NOW_MS - day * DAY_MS, keys, (day * 5 + 3) % 7)
  }
  service.clock.set(NOW_MS)
  return { accountId, key }
}

async function callAround(
  service: Service,
  atMs: number,
  keys: readonly string[],
  times: number,
): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    service.clock.set(atMs - time * 61_000)
    const brand = ['prime', 'air', 'prime', 'nova'][time % 4] ?? 'air'
    const key = keys[time % 5 === 0 ? 1 : 0] ?? ''
    const { status, text } = await chat(service, key, brand, {
      messages: [{ role: 'user', content: 'Could you help me with something?' }],
      max_tokens: 2_000,
    })
    if (status !== 200) throw new Error(`a call of the month was refused: ${text}`)
  }
}

/** The role that sees the operator's pages. */
export async function makeOperator(service: Service, email: string): Promise<void> {
  const people = await operate(service, 'GET', `/people?email=${encodeURIComponent(email)}`)
  const [person] = people.json.data
  const made = await operate(service, 'PATCH', `/people/${person.id}`, { role: 'operator' })
  if (made.status !== 200) throw new Error(`nobody was made an operator: ${made.text}`)
}
