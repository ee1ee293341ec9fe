import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as client from 'openid-client'
import { call, chat, hello, openAccount } from '../../support/call.ts'
import { askUserInfo, USERINFO, writeChallenge } from '../../support/identity/ask-userinfo.ts'
import { createRelyingParty, type Tokens } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const app = await createRelyingParty(service)
const ana = createVisitor(service)
const { key } = await openAccount(service, { depositEur: '10.00' })
let tokens: Tokens

before(async () => {
  await ana.signUp('ana@example.com', 'Ana')
  await ana.signIn('ana@example.com')
  tokens = await app.connect(ana)
})

/** What stands in the header, and whether a token came at all. */
const CREDENTIALS: Readonly<Record<string, () => string | undefined>> = {
  'nothing at all': () => undefined,
  'an empty bearer': () => 'Bearer',
  'a bearer of spaces': () => 'Bearer   ',
  'Basic credentials': () => 'Basic YW5hOnNlY3JldA==',
  'another scheme': () => `DPoP ${tokens.access_token}`,
  'no scheme': () => tokens.access_token,
  'two tokens': () => `Bearer ${tokens.access_token} ${tokens.access_token}`,
  garbage: () => 'Bearer no-token-of-ours',
  'a token with another ending': () => `Bearer ${tokens.access_token.slice(0, -1)}`,
  'a token in the wrong case': () => `Bearer ${tokens.access_token.toUpperCase()}`,
  'an id token': () => `Bearer ${tokens.id_token ?? ''}`,
  'a refresh token': () => `Bearer ${tokens.refresh_token ?? ''}`,
  'an API key': () => `Bearer ${key}`,
  "the operator's token": () => `Bearer ${service.operatorToken}`,
  'a very long token': () => `Bearer ${'a'.repeat(12_000)}`,
}

const ACCEPTED = ['*/*', 'text/html', 'application/xhtml+xml, text/html;q=0.9', 'application/jwt']

for (const [what, write] of Object.entries(CREDENTIALS)) {
  test(`user info is refused to ${what}, in the one way that the contract has`, async () => {
    const authorization = write()
    for (const accept of ACCEPTED) {
      for (const method of ['GET', 'POST']) {
        const headers = { accept, ...(authorization !== undefined && { authorization }) }
        const response = await fetch(service.origin + USERINFO, { method, headers })
        const text = await response.text()
        assert.deepEqual(
          [response.status, text],
          [401, '{"error":"invalid_token"}'],
          `${method} ${accept}`,
        )
        assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
        assert.equal(response.headers.get('cache-control'), 'no-store')
        const error = authorization === undefined ? undefined : 'invalid_token'
        assert.equal(
          response.headers.get('www-authenticate'),
          writeChallenge(service.origin, error),
        )
      }
    }
  })
}

test('a token may come in a form, and is refused there alike', async () => {
  const post = (access_token: string) =>
    askUserInfo(service, undefined, { method: 'POST', body: new URLSearchParams({ access_token }) })
  assert.equal((await post(tokens.access_token)).claims['email'], 'ana@example.com')
  for (const token of [
    'garbage',
    '\u0000',
    key,
    tokens.refresh_token ?? '',
    tokens.id_token ?? '',
  ]) {
    const { status, text, challenge } = await post(token)
    assert.deepEqual([status, text], [401, '{"error":"invalid_token"}'])
    assert.equal(challenge, writeChallenge(service.origin, 'invalid_token'))
  }
  const empty = await post('')
  assert.deepEqual([empty.status, empty.challenge], [401, writeChallenge(service.origin)])
})

test('two tokens at once, or one in the address, are no request (RFC 6750, 2)', async () => {
  const { access_token: token } = tokens
  const body = new URLSearchParams({ access_token: token })
  const both = await askUserInfo(service, token, { method: 'POST', body })
  assert.deepEqual([both.status, both.claims['error']], [400, 'invalid_request'])
  const response = await fetch(`${service.origin}${USERINFO}?access_token=${token}`)
  assert.equal(response.status, 400)
  await response.text()
})

test('an access token that has expired is refused', async (t) => {
  const { access_token: token, expires_in: expiresIn = 0 } = await app.connect(ana)
  assert.equal(expiresIn, 3_600)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + (expiresIn - 30) * 1_000 })
  assert.equal((await askUserInfo(service, token)).status, 200)
  t.mock.timers.setTime(Date.now() + 31_000)
  const { status, text, challenge } = await askUserInfo(service, token)
  assert.deepEqual([status, text], [401, '{"error":"invalid_token"}'])
  assert.equal(challenge, writeChallenge(service.origin, 'invalid_token'))
})

test('an access token that was given back is refused, and so is one whose refresh token was', async () => {
  const one = await app.connect(ana, { scope: 'openid' })
  await client.tokenRevocation(app.config, one.access_token)
  assert.equal((await askUserInfo(service, one.access_token)).status, 401)
  const other = await app.connect(ana)
  await client.tokenRevocation(app.config, other.refresh_token ?? '')
  assert.equal((await askUserInfo(service, other.access_token)).status, 401)
  await client.tokenRevocation(app.config, 'no token of ours')
})

test('giving a token back is not taking a consent back: the person is not asked again', async () => {
  const { refresh_token: token = '' } = await app.connect(ana)
  await client.tokenRevocation(app.config, token)
  const { trail, callback } = await app.visit(ana, await app.begin())
  assert.ok(callback?.searchParams.get('code'), trail.join('\n'))
  assert.ok(!trail.some((hop) => hop.includes('/interaction/')), trail.join('\n'))
})

test('one app cannot give back the tokens of another', async () => {
  const other = await createRelyingParty(service, { clientId: 'other' })
  const { access_token: token } = await app.connect(ana, { scope: 'openid' })
  await client.tokenRevocation(other.config, token).catch(() => {})
  assert.equal((await askUserInfo(service, token)).status, 200)
})

test('tokens of people and keys of accounts are separate credentials', async () => {
  tokens = await app.connect(ana)
  for (const token of [tokens.access_token, tokens.refresh_token ?? '', tokens.id_token ?? '']) {
    const refused = await chat(service, token, 'air', hello)
    assert.deepEqual([refused.status, refused.json.error.code], [401, 'invalid_api_key'])
    const models = await call(service, 'GET', '/v1/models', { key: token })
    assert.deepEqual([models.status, models.json.error.code], [401, 'invalid_api_key'])
    const operator = await call(service, 'GET', '/operator/v1/accounts', { key: token })
    assert.equal(operator.status, 401)
  }
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  assert.equal((await askUserInfo(service, tokens.access_token)).status, 200)
})
