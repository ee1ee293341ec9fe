import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../support/assert-refused.ts'
import { operate } from '../../support/call.ts'
import { runCodeFlow } from '../../support/identity/run-code-flow.ts'
import { registerClient } from '../../support/identity/register-client.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor, type Scope, type Service } from '../../support/service.ts'

const redirectUri = 'https://app.example.com/callback'

async function openWorld(scope: Scope) {
  const service = await serveFor(scope, { identity: true, trustedProxies: ['127.0.0.1'] })
  await registerClient(service, { clientId: 'chat', kind: 'public', redirectUris: [redirectUri] })
  const visitor = createVisitor(service)
  await visitor.signUp('ana@example.com')
  await visitor.signIn('ana@example.com')
  return {
    service,
    /** The id of the key that signs now. */
    async findSigner(): Promise<string> {
      const { body } = await runCodeFlow(service, visitor, { clientId: 'chat', redirectUri })
      const [head = ''] = String(body.id_token).split('.')
      const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }
      return kid
    },
  }
}

async function readPublished(service: Service): Promise<string[]> {
  const response = await fetch(`${service.origin}/api/oidc/jwks`)
  const { keys } = (await response.json()) as { keys: { kid: string; d?: string }[] }
  assert.ok(keys.every(({ d }) => d === undefined))
  return keys.map(({ kid }) => kid)
}

async function listStates(service: Service): Promise<Record<string, string>> {
  const { json } = await operate(service, 'GET', '/signing-keys')
  return Object.fromEntries(json.data.map(({ kid, state }) => [kid, state]))
}

test('a key is published before it signs, and the one before it verifies until it is dropped', async (t) => {
  const { service, findSigner } = await openWorld(t)
  const first = await findSigner()
  const { status, json: next } = await operate(service, 'POST', '/signing-keys', {})
  assert.deepEqual([status, next.state], [201, 'next'])
  assert.equal(next.signs_from, service.clock.nowMs() + 3_600_000)
  assert.deepEqual(new Set(await readPublished(service)), new Set([first, next.kid]))
  assert.equal(await findSigner(), first)
  service.clock.advance(3_601_000)
  assert.deepEqual(await listStates(service), { [first]: 'past', [next.kid]: 'signing' })
  const now = await operate(service, 'POST', '/signing-keys', { signs_after_s: 0 })
  assert.deepEqual([now.status, now.json.state], [201, 'signing'])
  assert.equal(await findSigner(), now.json.kid)
  assert.equal((await operate(service, 'DELETE', `/signing-keys/${first}`)).status, 204)
  assert.deepEqual(new Set(await readPublished(service)), new Set([next.kid, now.json.kid]))
})

test('the key that signs is not dropped, nor one that is not there', async (t) => {
  const { service, findSigner } = await openWorld(t)
  const kid = await findSigner()
  assertRefused(await operate(service, 'DELETE', `/signing-keys/${kid}`), 'conflict')
  assertRefused(await operate(service, 'DELETE', `/signing-keys/${kid}x`), 'not_found')
  assert.equal(await findSigner(), kid)
  assert.deepEqual(await readPublished(service), [kid])
})

test('there are ten keys at most, and only those that nothing valid was signed with go by themselves', async (t) => {
  const { service, findSigner } = await openWorld(t)
  await findSigner()
  const rotate = (delayS: number) => {
    service.clock.advance(1_000)
    return operate(service, 'POST', '/signing-keys', { signs_after_s: delayS })
  }
  for (let count = 1; count < 10; count += 1) assert.equal((await rotate(0)).status, 201)
  assertRefused(await rotate(0), 'conflict')
  service.clock.advance(25 * 3_600_000)
  assert.equal((await rotate(60)).status, 201)
  assert.deepEqual(Object.values(await listStates(service)), ['next', 'signing'])
})

test('what is done to keys is written down, and no answer has a private one', async (t) => {
  const { service } = await openWorld(t)
  const made = await operate(service, 'POST', '/signing-keys', { signs_after_s: 60 })
  await operate(service, 'DELETE', `/signing-keys/${made.json.kid}`)
  const { json, text } = await operate(service, 'GET', '/audit?limit=2')
  const { kid, signs_from: signsFrom } = made.json
  assert.deepEqual(
    json.data.map(({ action, details }) => [action, details]),
    [
      ['signing_key.dropped', { kid }],
      ['signing_key.made', { kid, signs_from: signsFrom }],
    ],
  )
  for (const one of [text, made.text]) assert.doesNotMatch(one, /"[dpq]"|jwk/)
  for (const delay of [-1, 0.5, '60', 2_592_001]) {
    const answer = await operate(service, 'POST', '/signing-keys', { signs_after_s: delay })
    assert.match(assertRefused(answer, 'invalid_request'), /^signs_after_s: /)
  }
})
