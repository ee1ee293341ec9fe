import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formatEuros, parseEuros, type NanoEuro } from '#platform/money.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, hello } from '../../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../support/console-person.ts'
import { servePeople } from '../../support/identity/people.ts'

const service = await servePeople({ after })
const DAY_MS = 86_400_000
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

function addUp(amounts: readonly string[]): string {
  return formatEuros(amounts.reduce((sum, one) => sum + (parseEuros(one) ?? 0), 0) as NanoEuro)
}

/** Three requests by two keys on one day, one more two days later. */
async function openUser() {
  const person = await openConsolePerson(service)
  const one = (await person.own('POST', '/keys', { name: 'one' })).json
  const two = (await person.own('POST', '/keys', { name: 'two' })).json
  const firstDay = dayOf(service.clock.nowMs())
  await chat(service, one.key, 'air', hello)
  await chat(service, two.key, 'air', hello)
  await chat(service, two.key, 'nova', hello)
  service.clock.advance(2 * DAY_MS)
  await chat(service, one.key, 'air', hello)
  return { ...person, one, two, firstDay, lastDay: dayOf(service.clock.nowMs()) }
}

async function readReceipts({ own }: ConsolePerson) {
  return (await own('GET', '/requests')).json.data
}

test("use by day and brand, and by key, is the sum of the account's receipts", async () => {
  const user = await openUser()
  const { json } = await user.own('GET', '/usage')
  const receipts = await readReceipts(user)
  assert.deepEqual(
    json.days.map(({ day, brand, requests }) => [day, brand, requests]),
    [
      [user.firstDay, 'air', 2],
      [user.firstDay, 'nova', 1],
      [user.lastDay, 'air', 1],
    ],
  )
  const costs = receipts.map(({ cost_eur: cost }) => cost)
  assert.equal(json.totals.cost_eur, addUp(costs))
  assert.equal(json.totals.requests, 4)
  for (const field of ['prompt_tokens', 'completion_tokens'] as const) {
    const sum = receipts.reduce((before, receipt) => before + receipt[field], 0)
    assert.equal(json.totals[field], sum)
    assert.equal(
      json.days.reduce((before, day) => before + day[field], 0),
      sum,
    )
  }
  for (const { id, name, last_four: lastFour } of [user.one, user.two]) {
    const shown = json.keys.find((one) => one.key_id === id)
    const theirs = receipts.filter(({ key_id: keyId }) => keyId === id)
    assert.deepEqual(
      [shown?.name, shown?.last_four, shown?.requests, shown?.cost_eur],
      [name, lastFour, theirs.length, addUp(theirs.map(({ cost_eur: cost }) => cost))],
    )
  }
  assert.equal(json.keys[0]?.key_id, user.two.id)
  assert.deepEqual([json.to, json.as_of], [user.lastDay, service.clock.nowMs()])
  assert.equal(Date.parse(json.to) - Date.parse(json.from), 29 * DAY_MS)
})

test('a key and a range filter days and totals', async () => {
  const { own, one, firstDay, lastDay } = await openUser()
  const ofKey = (await own('GET', `/usage?key_id=${one.id}`)).json
  assert.deepEqual(
    ofKey.days.map(({ day, brand, requests }) => [day, brand, requests]),
    [
      [firstDay, 'air', 1],
      [lastDay, 'air', 1],
    ],
  )
  assert.equal(ofKey.totals.requests, 2)
  assert.deepEqual(
    ofKey.keys.map(({ key_id: keyId }) => keyId),
    [one.id],
  )
  const ofDay = (await own('GET', `/usage?from=${firstDay}&to=${firstDay}`)).json
  assert.equal(ofDay.totals.requests, 3)
  const before = (await own('GET', '/usage?from=2020-01-01&to=2020-12-31')).json
  assert.deepEqual([before.days, before.keys, before.totals.cost_eur], [[], [], '0.00'])
})

test('a range is of at most 400 days that there are, in their order', async () => {
  const { own } = await openConsolePerson(service)
  assert.equal((await own('GET', '/usage?from=2025-01-01&to=2026-02-04')).status, 200)
  for (const [query, what] of [
    ['from=2025-01-01&to=2026-02-05', /^from: must be at most 400 days/],
    ['from=2025-01-02&to=2025-01-01', /^from: must not be after/],
    ['from=2025-02-30', /^from: must be a day that there is/],
    ['to=yesterday', /^to: must be a day/],
    ['key_id=%00', /^key_id: /],
  ] as const) {
    const answer = await own('GET', `/usage?${query}`)
    assertRefused(answer, 'invalid_request')
    assert.match(answer.json.error.message, what)
  }
})
