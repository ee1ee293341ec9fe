import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, chat, hello, openAccount, operate, readEvents } from '../support/call.ts'
import { startService } from '../support/service.ts'

test('a new account can call each model, whole and streamed, and finds a receipt for each', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const { accountId, key } = await openAccount(service, { depositEur: '10.00' })
  for (const brand of ['air', 'prime', 'nova']) {
    const whole = await chat(service, key, brand, hello)
    assert.equal(whole.status, 200)
    assert.equal(whole.json.model, `svc-${brand}-v1`)
    assert.equal(whole.json.choices[0].finish_reason, 'stop')
    const streamed = await chat(service, key, brand, { ...hello, stream: true })
    const events = readEvents(streamed.text)
    assert.deepEqual(events[0].choices[0].delta, { role: 'assistant' })
    const text = events.map((event) => event.choices[0].delta.content ?? '').join('')
    assert.equal(text, whole.json.choices[0].message.content)
    assert.deepEqual(events.at(-1).usage, whole.json.usage)
  }
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts`)
  assert.equal(json.data.length, 6)
  assert.ok(json.data.every((receipt: { ended: string }) => receipt.ended === 'completed'))
  const verification = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual(verification.json.discrepancies, [])
})

test('a call without a key is refused', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const answer = await call(service, 'POST', '/v1/chat/air', { body: hello })
  assert.equal(answer.status, 401)
  assert.equal(answer.json.error.code, 'invalid_api_key')
})
