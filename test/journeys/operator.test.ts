import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createContract } from '#api/contract/index.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { call, chat, hello, openAccount, operate } from '../support/call.ts'
import { fillPath, openPlaces } from '../support/fill-path.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { describeUpstream, serveWithUpstream, startService } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const usage = { promptTokens: 20, completionTokens: 5 }
const { service } = await serveWithUpstream({ after }, { content: 'Hi', usage })

/** One of each thing that an operation can be asked about. */
const places = await openPlaces(service, await openAccount(service))

for (const [name, operation] of Object.entries(createContract('svc').operator)) {
  test(`${name} is refused without the operator token, whatever else is sent, and does nothing`, async () => {
    const { key } = await openAccount(service)
    const path = fillPath(operation.path, places)
    const method = operation.method.toUpperCase()
    const { json: before } = await operate(service, 'GET', '/audit?limit=1')
    const credentials = [
      undefined,
      `Bearer ${key}`,
      `Bearer ${service.operatorToken}x`,
      `Bearer ${service.operatorToken.slice(0, -1)}`,
      `Basic ${btoa(`operator:${service.operatorToken}`)}`,
      service.operatorToken,
    ]
    for (const authorization of credentials) {
      // Failures are told to wait when there are too many of them within a minute.
      service.clock.advance(60_000)
      const headers = authorization === undefined ? {} : { authorization }
      for (const body of method === 'GET' ? [undefined] : [undefined, '{', {}]) {
        const options = { headers, ...(body !== undefined && { body }) }
        const answer = await call(service, method, path, options)
        assertRefused(answer, 'invalid_operator_token')
        assert.match(String(answer.headers.get('x-request-id')), /^req_/)
      }
    }
    const { json: now } = await operate(service, 'GET', '/audit?limit=1')
    assert.deepEqual(now, before)
  })
}

test('what hangs on an account that is not there is 404', async () => {
  const credit = { kind: 'grant', amount_eur: '1', reference: 'nobody' }
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { suspended: true }],
    ['POST', '/credits', credit],
    ['GET', '/keys', undefined],
    ['POST', '/keys', { name: 'x' }],
    ['PATCH', '/keys/key_x', { name: 'x' }],
    ['POST', '/keys/key_x/roll', {}],
    ['DELETE', '/keys/key_x', undefined],
    ['GET', '/receipts', undefined],
  ] as const) {
    const answer = await operate(service, method, `/accounts/acc_none${path}`, body)
    assertRefused(answer, 'not_found')
  }
})

test('a key is shown once: afterwards only its prefix and its last four', async () => {
  const { accountId } = await openAccount(service)
  const path = `/accounts/${accountId}/keys`
  const { status, json } = await operate(service, 'POST', path, { name: 'production' })
  assert.equal(status, 201)
  assert.match(json.key, /^svc_live_[0-9A-Za-z]{43}$/)
  assert.ok(json.key.startsWith(json.prefix))
  assert.ok(json.prefix.startsWith('svc_live_') && json.prefix.length < 16)
  assert.ok(json.key.endsWith(json.last_four) && json.last_four.length === 4)
  const listed = await operate(service, 'GET', path)
  const { key, ...rest } = json
  const state = { kind: 'secret', spent_today_eur: '0.00', revoked_at: null }
  assert.deepEqual(listed.json.data[0], { ...rest, ...state })
  assert.equal(listed.text.includes(key.slice(13, -4)), false)
  const audit = await operate(service, 'GET', '/audit')
  assert.equal(audit.text.includes(key.slice(13, -4)), false)
})

test('the store keeps no key that could be read back', async () => {
  const { key } = await openAccount(service)
  for (const file of readdirSync(service.dataDir)) {
    const bytes = readFileSync(join(service.dataDir, file))
    assert.equal(bytes.includes(key), false, file)
    assert.equal(bytes.includes(key.slice(13, -4)), false, file)
  }
})

test('a key is rotated without a gap: the new one works beside the old until that is revoked', async () => {
  const { accountId, keyId, key: old } = await openAccount(service)
  const path = `/accounts/${accountId}/keys`
  const { json: created } = await operate(service, 'POST', path, { name: 'next' })
  assert.equal((await chat(service, old, 'air', hello)).status, 200)
  assert.equal((await chat(service, created.key, 'air', hello)).status, 200)
  const revoked = await operate(service, 'DELETE', `${path}/${keyId}`)
  assert.deepEqual([revoked.status, revoked.text], [204, ''])
  assert.equal((await chat(service, old, 'air', hello)).status, 401)
  assert.equal((await chat(service, created.key, 'air', hello)).status, 200)
  const revokedAt = service.clock.nowMs()
  service.clock.advance(1_000)
  assert.equal((await operate(service, 'DELETE', `${path}/${keyId}`)).status, 204)
  const { json } = await operate(service, 'GET', path)
  const states = json.data.map(({ id, revoked_at: at }) => [id, at])
  assert.deepEqual(states, [
    [created.id, null],
    [keyId, revokedAt],
  ])
})

test("an account cannot revoke another's key, and a key needs a name", async () => {
  const one = await openAccount(service)
  const other = await openAccount(service)
  const foreign = `/accounts/${one.accountId}/keys/${other.keyId}`
  assertRefused(await operate(service, 'DELETE', foreign), 'not_found')
  assert.equal((await chat(service, other.key, 'air', hello)).status, 200)
  for (const body of [{}, { name: '' }, { name: null }, { name: 'x'.repeat(101) }]) {
    const answer = await operate(service, 'POST', `/accounts/${one.accountId}/keys`, body)
    assert.match(assertRefused(answer, 'invalid_request'), /^name: /)
  }
})

test('each request that reached a provider has its receipt; a refused one has none', async () => {
  const { accountId, key, keyId } = await openAccount(service)
  const answers = [
    await chat(service, key, 'air', hello),
    await chat(service, key, 'zoom', hello),
    await chat(service, key, 'nova', { ...hello, stream: true }),
    await chat(service, key, 'air', {}),
  ]
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts`)
  const [nova, air] = json.data
  assert.equal(json.data.length, 2)
  const { duration_ms: durationMs, first_token_ms: firstTokenMs, ...rest } = nova
  assert.ok(durationMs >= Number(firstTokenMs) && Number(firstTokenMs) >= 0)
  assert.deepEqual(rest, {
    request_id: answers[2]!.headers.get('x-request-id'),
    key_id: keyId,
    brand: 'nova',
    model: 'svc-nova-v1',
    prompt_tokens: 20,
    completion_tokens: 5,
    cost_eur: '0.0001115',
    written_off_eur: '0.00',
    usage_source: 'upstream',
    finish_reason: 'stop',
    ended: 'completed',
    created_at: service.clock.nowMs(),
  })
  assert.equal(air!.cost_eur, '0.0000207')
  assert.equal(air!.request_id, answers[0]!.headers.get('x-request-id'))
})

test('receipts are listed newest first, page by page, each once and only their own', async () => {
  const { accountId, key } = await openAccount(service)
  const { key: stranger } = await openAccount(service)
  const made: string[] = []
  for (let count = 0; count < 7; count += 1) {
    const answer = await chat(service, key, 'air', hello)
    await chat(service, stranger, 'air', hello)
    made.push(String(answer.headers.get('x-request-id')))
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = `limit=3${cursor && `&cursor=${cursor}`}`
    const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts?${query}`)
    seen.push(...json.data.map(({ request_id: requestId }) => requestId))
    cursor = json.next_cursor
  }
  assert.deepEqual(seen, made.toReversed())
})

test('the models are shown with their upstreams, circuits and figures', async () => {
  const { json } = await operate(service, 'GET', '/models')
  assert.deepEqual(
    json.data.map(({ brand, id, enabled }) => [brand, id, enabled]),
    ['air', 'prime', 'nova'].map((brand) => [brand, `svc-${brand}-v1`, true]),
  )
  const [air] = json.data
  const [figures] = air.upstreams
  assert.deepEqual([figures!.name, figures!.kind, figures!.circuit], ['fake', 'openai', 'closed'])
  assert.ok(figures!.requests > 0)
  assert.equal(figures!.failures, 0)
  assert.equal(figures!.last_failure, null)
})

test('switching a brand that does not exist is 404 unknown_model', async () => {
  const answer = await operate(service, 'PATCH', '/models/zoom', { enabled: false })
  assertRefused(answer, 'unknown_model')
})

for (const body of [{}, { enabled: null }, { enabled: 'no' }, { enabled: 0 }]) {
  test(`a switch of ${JSON.stringify(body)} is refused`, async () => {
    const answer = await operate(service, 'PATCH', '/models/air', body)
    assert.match(assertRefused(answer, 'invalid_request'), /^enabled: /)
  })
}

test('a restart keeps accounts, keys, money and what is switched off', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  const fake = await startFakeUpstream()
  t.after(() => fake.close())
  fake.play({ content: 'Hi', usage })
  const options = { dataDir, upstreams: [describeUpstream(fake)] }
  const first = await startService(options)
  const { accountId, key } = await openAccount(first, { daily_ceiling_eur: '1.00' })
  await chat(first, key, 'nova', hello)
  await operate(first, 'PATCH', '/models/prime', { enabled: false })
  await operate(first, 'PATCH', '/models/nova', { enabled: false })
  await operate(first, 'PATCH', '/models/nova', { enabled: true })
  const { json: before } = await operate(first, 'GET', `/accounts/${accountId}`)
  await first.close()

  const second = await startService({ ...options, clock: first.clock })
  t.after(() => second.close())
  const { json: now } = await operate(second, 'GET', `/accounts/${accountId}`)
  assert.deepEqual(now, before)
  assert.equal(now.balance_eur, '0.9998885')
  const { json: models } = await operate(second, 'GET', '/models')
  const enabled = models.data.map((model) => [model.brand, model.enabled])
  assert.deepEqual(enabled, Object.entries({ air: true, prime: false, nova: true }))
  assertRefused(await chat(second, key, 'prime', hello), 'model_unavailable')
  assert.equal((await chat(second, key, 'nova', hello)).status, 200)
  const { json: receipts } = await operate(second, 'GET', `/accounts/${accountId}/receipts`)
  assert.equal(receipts.data.length, 2)
  const { json: verification } = await operate(second, 'GET', '/ledger/verify')
  assert.deepEqual([verification.ok, verification.discrepancies], [true, []])
})

test('the audit log tells who did what, newest first, and nothing that did not happen', async () => {
  const { accountId, keyId } = await openAccount(service)
  const path = `/accounts/${accountId}`
  const credit = { kind: 'grant', amount_eur: '2.50', reference: 'audited' }
  await operate(service, 'POST', `${path}/credits`, credit)
  await operate(service, 'POST', `${path}/credits`, credit)
  await operate(service, 'PATCH', path, { daily_ceiling_eur: '3', min_tier: 2 })
  await operate(service, 'PATCH', path, { min_tier: 9 })
  await operate(service, 'PATCH', path, {})
  await operate(service, 'PATCH', '/models/air', { enabled: true })
  await operate(service, 'DELETE', `${path}/keys/${keyId}`)
  await operate(service, 'DELETE', `${path}/keys/${keyId}`)
  const { json } = await operate(service, 'GET', '/audit?limit=6')
  assert.ok(
    json.data.every(({ actor, at }) => actor === 'operator' && at === service.clock.nowMs()),
  )
  assert.ok(json.data.every(({ id }) => /^aud_[0-9a-f]{32}$/.test(id)))
  assert.deepEqual(
    json.data.map(({ action, account_id: of, details }) => [action, of, details]),
    [
      ['key.revoked', accountId, { key_id: keyId }],
      ['model.switched', null, { brand: 'air', enabled: true }],
      ['account.changed', accountId, { daily_ceiling_eur: '3.00', min_tier: 2 }],
      ['credit.booked', accountId, { kind: 'grant', amount_eur: '2.50', reference: 'audited' }],
      ['key.created', accountId, { key_id: keyId, name: 'test' }],
      ['account.created', accountId, {}],
    ],
  )
})

test('the audit log is read page by page', async () => {
  const { json: first } = await operate(service, 'GET', '/audit?limit=2')
  const cursor = String(first.next_cursor)
  const { json: second } = await operate(service, 'GET', `/audit?limit=2&cursor=${cursor}`)
  const { json: both } = await operate(service, 'GET', '/audit?limit=4')
  assert.deepEqual([...first.data, ...second.data], [...both.data])
})

test('the books add up, and say how much they hold', async () => {
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.equal(json.ok, true)
  assert.deepEqual(json.discrepancies, [])
  assert.ok(json.transfers > 10)
  assert.ok(json.accounts > 10)
})
