import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { operate } from '../call.ts'
import type { Service } from '../service.ts'

/** The account that somebody got when they signed up. */
export async function findAccountId(service: Service, email: string): Promise<string> {
  const { json } = await operate(service, 'GET', `/accounts?email=${encodeURIComponent(email)}`)
  assert.equal(json.data.length, 1)
  return json.data[0].id
}

/** Refuses what a page asks of the console's API, as the service would, until it is let through. */
export async function refuseCalls(page: Page, address: string): Promise<() => Promise<void>> {
  await page.route(address, (route) =>
    route.fulfill({
      status: 409,
      headers: { 'x-request-id': 'req_of_the_test' },
      json: { error: { code: 'conflict', message: 'Not now.' } },
    }),
  )
  return () => page.unroute(address)
}
