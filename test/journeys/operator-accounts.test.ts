import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, openAccountWith, operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after })

function post(path: string, body: unknown) {
  return operate(service, 'POST', path, body)
}

async function readAccount(accountId: string) {
  return (await operate(service, 'GET', `/accounts/${accountId}`)).json
}

test('an account is made with the free credit, on the lowest tier, and is found as it was made', async () => {
  const { status, json } = await post('/accounts', { email: 'ada@example.com', name: 'Ada' })
  assert.equal(status, 201)
  assert.match(json.id, /^acc_[0-9a-f]{32}$/)
  assert.deepEqual(json, {
    id: json.id,
    email: 'ada@example.com',
    name: 'Ada',
    tier: 1,
    min_tier: 1,
    plan: 'FREE',
    balance_eur: '1.00',
    held_eur: '0.00',
    deposits_eur: '0.00',
    spent_today_eur: '0.00',
    daily_ceiling_eur: null,
    suspended: false,
    created_at: service.clock.nowMs(),
  })
  assert.deepEqual(await readAccount(json.id), json)
})

test('the free credit is given once a person: not to a second account, nor to another spelling', async () => {
  const addresses = ['grace@example.com', 'grace@example.com', 'Grace@Example.COM']
  const made = []
  for (const email of addresses) made.push((await post('/accounts', { email })).json)
  assert.deepEqual(
    made.map((account) => account.balance_eur),
    ['1.00', '0.00', '0.00'],
  )
  assert.deepEqual(new Set(made.map(({ email }) => email)), new Set(['grace@example.com']))
  const path = '/accounts?email=GRACE%40example.com'
  const { json } = await operate(service, 'GET', path)
  assert.deepEqual(
    json.data.map(({ id }) => id),
    made.map(({ id }) => id).toReversed(),
  )
})

test('many accounts made at once for a new person share one free credit', async () => {
  const email = 'rush@example.com'
  const made = await Promise.all(Array.from({ length: 20 }, () => post('/accounts', { email })))
  assert.ok(made.every(({ status }) => status === 201))
  const given = made.filter(({ json }) => json.balance_eur === '1.00')
  assert.equal(given.length, 1)
})

const wrongAccounts = [
  ['email', {}],
  ['email', { email: null }],
  ['email', { email: 'nobody' }],
  ['email', { email: 'a b@example.com' }],
  ['email', { email: `${'x'.repeat(250)}@example.com` }],
  ['name', { email: 'a@example.com', name: '' }],
  ['name', { email: 'a@example.com', name: 'x'.repeat(101) }],
  ['nmae', { email: 'a@example.com', nmae: 'Ada' }],
] as const

for (const [field, body] of wrongAccounts) {
  test(`an account of ${JSON.stringify(body).slice(0, 50)} is refused at ${field}`, async () => {
    const message = assertRefused(await post('/accounts', body), 'invalid_request')
    assert.ok(message.startsWith(`${field}: `), message)
  })
}

test('accounts are listed newest first, page by page, each once', async (t) => {
  const other = await serveFor(t)
  const made: string[] = []
  for (let count = 0; count < 5; count += 1) made.push((await openAccount(other)).accountId)
  for (const [limit, sizes] of [
    [1, [1, 1, 1, 1, 1]],
    [2, [2, 2, 1]],
    [5, [5]],
    [200, [5]],
  ] as const) {
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query = `limit=${limit}${cursor && `&cursor=${cursor}`}`
      const { json } = await operate(other, 'GET', `/accounts?${query}`)
      pages.push(json.data.map(({ id }) => id))
      cursor = json.next_cursor
    }
    assert.deepEqual(
      pages.map((page) => page.length),
      sizes,
    )
    assert.deepEqual(pages.flat(), made.toReversed())
  }
})

test('a page has 1 to 200 rows, and says so', async () => {
  for (const limit of ['0', '201', '-1', '1.5', 'ten', '', '01', '1&limit=2']) {
    const answer = await operate(service, 'GET', `/accounts?limit=${limit}`)
    assert.match(assertRefused(answer, 'invalid_request'), /^limit(\[|: )/)
  }
})

test('a change touches what it names and nothing else; null takes only the ceiling away', async () => {
  const { accountId } = await openAccount(service)
  const path = `/accounts/${accountId}`
  const before = await readAccount(accountId)
  const changed = { ...before, min_tier: 2, tier: 2, plan: 'PRO', daily_ceiling_eur: '5.00' }
  const changes = { min_tier: 2, plan: 'PRO', daily_ceiling_eur: '5' }
  assert.deepEqual((await operate(service, 'PATCH', path, changes)).json, changed)
  assert.deepEqual(await readAccount(accountId), changed)
  assert.deepEqual((await operate(service, 'PATCH', path, {})).json, changed)
  const nulls = { min_tier: null, plan: null, suspended: null }
  assert.deepEqual((await operate(service, 'PATCH', path, nulls)).json, changed)
  const opened = await operate(service, 'PATCH', path, { daily_ceiling_eur: null })
  assert.deepEqual(opened.json, { ...changed, daily_ceiling_eur: null })
})

test("a plan is the person's: all accounts of one address have it", async () => {
  const email = 'plan@example.com'
  const { json: one } = await post('/accounts', { email })
  const { json: other } = await post('/accounts', { email })
  await operate(service, 'PATCH', `/accounts/${one.id}`, { plan: 'ELITE' })
  assert.equal((await readAccount(other.id)).plan, 'ELITE')
})

const wrongChanges = [
  ['min_tier', 0],
  ['min_tier', 4],
  ['min_tier', '2'],
  ['min_tier', 1.5],
  ['plan', 'GOLD'],
  ['plan', 'free'],
  ['daily_ceiling_eur', 5],
  ['daily_ceiling_eur', ''],
  ['daily_ceiling_eur', '-1'],
  ['daily_ceiling_eur', '1,5'],
  ['daily_ceiling_eur', '.5'],
  ['daily_ceiling_eur', '1.'],
  ['daily_ceiling_eur', '1e3'],
  ['daily_ceiling_eur', ' 1'],
  ['daily_ceiling_eur', '1.0000000001'],
  ['daily_ceiling_eur', '10000000'],
  ['suspended', 'yes'],
  ['suspended', 1],
  ['balance_eur', '5.00'],
] as const

for (const [field, value] of wrongChanges) {
  test(`a change of ${field} to ${JSON.stringify(value)} is refused, and nothing is changed`, async () => {
    const { accountId } = await openAccount(service)
    const before = await readAccount(accountId)
    const changes = { min_tier: 3, suspended: true, [field]: value }
    const answer = await operate(service, 'PATCH', `/accounts/${accountId}`, changes)
    const message = assertRefused(answer, 'invalid_request')
    assert.ok(message.startsWith(`${field}: `), message)
    assert.deepEqual(await readAccount(accountId), before)
  })
}

test('the largest amounts that can be written are taken or refused, but break nothing', async () => {
  const { accountId } = await openAccount(service)
  const path = `/accounts/${accountId}`
  const ceiling = { daily_ceiling_eur: '9999999.999999999' }
  const patched = await operate(service, 'PATCH', path, ceiling)
  assert.ok([200, 400].includes(patched.status), patched.text)
  for (const amount of ['9999999.999999999', '9007199.254740992', '9000000.000000001']) {
    const credit = { kind: 'deposit', amount_eur: amount, reference: `huge-${amount}` }
    const answer = await post(`${path}/credits`, credit)
    assert.match(assertRefused(answer, 'invalid_request'), /^amount_eur: /)
  }
  assert.equal((await readAccount(accountId)).balance_eur, '1.00')
})

test('a deposit raises balance and deposits, a grant only the balance, to the nano-euro', async () => {
  const { accountId } = await openAccountWith(service)
  const path = `/accounts/${accountId}/credits`
  const deposit = { kind: 'deposit', amount_eur: '20.000000001', reference: 'invoice-1' }
  const { status, json } = await post(path, deposit)
  assert.equal(status, 201)
  const created = { account_id: accountId, created_at: service.clock.nowMs() }
  assert.deepEqual(json, { ...created, ...deposit })
  await post(path, { kind: 'grant', amount_eur: '0.5', reference: 'gift-1' })
  const account = await readAccount(accountId)
  assert.deepEqual(
    [account.balance_eur, account.deposits_eur, account.tier],
    ['20.500000001', '20.000000001', 2],
  )
})

test('a credit is booked once for its reference: 201, then 200 with the first; 1.0 is 1.00', async () => {
  const { accountId } = await openAccountWith(service)
  const path = `/accounts/${accountId}/credits`
  const credit = { kind: 'deposit', amount_eur: '1.0', reference: 'once' }
  const first = await post(path, credit)
  assert.equal(first.status, 201)
  service.clock.advance(5_000)
  for (const amount of ['1.0', '1.00', '1', '1.000000000', '01']) {
    const again = await post(path, { ...credit, amount_eur: amount })
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(again.json, first.json)
  }
  assert.equal((await readAccount(accountId)).balance_eur, '1.00')
})

test('a reference that is taken is refused for another amount, kind or account', async () => {
  const { accountId } = await openAccountWith(service)
  const { accountId: otherId } = await openAccountWith(service)
  const credit = { kind: 'deposit', amount_eur: '1.00', reference: 'taken' }
  await post(`/accounts/${accountId}/credits`, credit)
  for (const [id, body] of [
    [accountId, { ...credit, amount_eur: '1.000000001' }],
    [accountId, { ...credit, kind: 'grant' }],
    [otherId, credit],
  ] as const) {
    assertRefused(await post(`/accounts/${id}/credits`, body), 'conflict')
  }
  assert.equal((await readAccount(accountId)).balance_eur, '1.00')
  assert.equal((await readAccount(otherId)).balance_eur, '0.00')
})

test('the same credit sent many times at once is booked once', async () => {
  const { accountId } = await openAccountWith(service)
  const credit = { kind: 'deposit', amount_eur: '3.00', reference: 'at-once' }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(`/accounts/${accountId}/credits`, credit)),
  )
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 201).length, 1)
  assert.equal(statuses.filter((status) => status === 200).length, 19)
  assert.equal((await readAccount(accountId)).balance_eur, '3.00')
})

const wrongCredits = [
  ['kind', { kind: 'gift' }],
  ['kind', { kind: undefined }],
  ['amount_eur', { amount_eur: 1 }],
  ['amount_eur', { amount_eur: '0' }],
  ['amount_eur', { amount_eur: '0.000000000' }],
  ['amount_eur', { amount_eur: '-1' }],
  ['amount_eur', { amount_eur: '+1' }],
  ['amount_eur', { amount_eur: '1e3' }],
  ['amount_eur', { amount_eur: '1.0000000001' }],
  ['amount_eur', { amount_eur: '' }],
  ['amount_eur', { amount_eur: '1\n' }],
  ['reference', { reference: '' }],
  ['reference', { reference: undefined }],
  ['reference', { reference: 'x'.repeat(201) }],
] as const

for (const [field, wrong] of wrongCredits) {
  test(`a credit with ${JSON.stringify(wrong).slice(0, 40)} is refused at ${field}`, async () => {
    const { accountId } = await openAccountWith(service)
    const credit = { kind: 'deposit', amount_eur: '1.00', reference: 'wrong', ...wrong }
    const answer = await post(`/accounts/${accountId}/credits`, credit)
    const message = assertRefused(answer, 'invalid_request')
    assert.ok(message.startsWith(`${field}: `), message)
    assert.equal((await readAccount(accountId)).balance_eur, '0.00')
  })
}

test('an account has room for 9000000 €, and no more', async () => {
  const { accountId, key } = await openAccountWith(service)
  const path = `/accounts/${accountId}/credits`
  const most = { kind: 'deposit', amount_eur: '9000000.00', reference: 'most' }
  assert.equal((await post(path, most)).status, 201)
  const more = { kind: 'deposit', amount_eur: '0.000000001', reference: 'more' }
  assert.match(assertRefused(await post(path, more), 'invalid_request'), /^amount_eur: /)
  assert.equal((await chat(service, key, 'nova', hello)).status, 200)
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([json.ok, json.discrepancies], [true, []])
})

test('a name with U+0000, which not every store can keep, is refused', async () => {
  const body = { email: 'nul@example.com', name: 'a\u0000b' }
  const refused = await operate(service, 'POST', '/accounts', body)
  assertRefused(refused, 'invalid_request')
  assert.match(refused.json.error.message, /^name: /)
  assertRefused(await operate(service, 'GET', '/accounts/acc%00'), 'not_found')
})
