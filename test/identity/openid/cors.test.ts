import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createRelyingParty, type Tokens } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const app = await createRelyingParty(service)
const backend = await createRelyingParty(service, { clientId: 'backend', kind: 'confidential' })
const OWN = 'https://app.example.com'
const FOREIGN = [
  'https://evil.example',
  'null',
  'http://app.example.com',
  'https://app.example.com:8443',
]
let tokens: Tokens
let ofBackend: Tokens

before(async () => {
  const ana = createVisitor(service)
  await ana.signUp('ana@example.com')
  await ana.signIn('ana@example.com')
  tokens = await app.connect(ana)
  ofBackend = await backend.connect(ana)
})

interface Init extends Omit<RequestInit, 'headers'> {
  readonly headers?: Readonly<Record<string, string>>
}

const call = (path: string, origin: string, init: Init = {}) =>
  fetch(service.origin + path, { ...init, headers: { origin, ...init.headers } })

const askUserInfo = (origin: string, { access_token: token }: Pick<Tokens, 'access_token'>) =>
  call('/api/oidc/userinfo', origin, { headers: { authorization: `Bearer ${token}` } })

function refresh(origin: string, token: string | undefined): Promise<Response> {
  const fields = { grant_type: 'refresh_token', client_id: 'chat', refresh_token: token ?? '' }
  return call('/api/oidc/token', origin, { method: 'POST', body: new URLSearchParams(fields) })
}

const PREFLIGHTS = [
  ['/api/oidc/userinfo', 'GET'],
  ['/api/oidc/userinfo', 'POST'],
  ['/api/oidc/token', 'POST'],
  ['/api/oidc/revoke', 'POST'],
  ['/api/oidc/jwks', 'GET'],
  ['/.well-known/openid-configuration', 'GET'],
  ['/.well-known/oauth-authorization-server', 'GET'],
] as const

for (const [path, method] of PREFLIGHTS) {
  test(`a page may ask whether it may ${method} ${path}, never with our cookies`, async () => {
    const response = await call(path, OWN, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    assert.equal(response.status, 204)
    assert.equal(response.headers.get('access-control-allow-origin'), OWN)
    assert.ok(response.headers.get('access-control-allow-methods')?.includes(method))
    assert.equal(response.headers.get('access-control-allow-headers'), 'authorization,content-type')
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
  })
}

test('where things are, and the keys, any page may read', async () => {
  for (const path of [
    '/.well-known/openid-configuration',
    '/api/oidc/jwks',
    '/.well-known/oauth-protected-resource/api/oidc/userinfo',
  ]) {
    const response = await call(path, 'https://anybody.example')
    await response.text()
    assert.ok(
      ['*', 'https://anybody.example'].includes(
        response.headers.get('access-control-allow-origin') ?? '',
      ),
    )
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
  }
})

test("a public client's own page uses its tokens", async () => {
  const told = await askUserInfo(OWN, tokens)
  assert.deepEqual([told.status, told.headers.get('access-control-allow-origin')], [200, OWN])
  assert.match(told.headers.get('vary') ?? '', /origin/i)
  assert.match(told.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/)
  const refreshed = await refresh(OWN, tokens.refresh_token)
  assert.deepEqual(
    [refreshed.status, refreshed.headers.get('access-control-allow-origin')],
    [200, OWN],
  )
  tokens = { ...tokens, ...((await refreshed.json()) as Tokens) }
  const refused = await askUserInfo(OWN, { access_token: 'garbage' })
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, OWN])
  const unknown = await refresh(OWN, 'garbage')
  assert.deepEqual([unknown.status, unknown.headers.get('access-control-allow-origin')], [400, OWN])
})

for (const origin of FOREIGN) {
  test(`a page of ${origin} does not, and ends nothing by trying`, async () => {
    const told = await askUserInfo(origin, tokens)
    assert.deepEqual([told.status, told.headers.get('access-control-allow-origin')], [400, null])
    const refused = await refresh(origin, tokens.refresh_token)
    assert.deepEqual(
      [refused.status, refused.headers.get('access-control-allow-origin')],
      [400, null],
    )
    assert.equal((await askUserInfo(OWN, tokens)).status, 200)
  })
}

test('a confidential client has no page that could use its tokens', async () => {
  const told = await askUserInfo(OWN, ofBackend)
  assert.deepEqual([told.status, told.headers.get('access-control-allow-origin')], [400, null])
})

test('no page reads what the authorization endpoint answers', async () => {
  const { url } = await app.begin()
  const response = await call(url.pathname + url.search, OWN)
  assert.equal(response.headers.get('access-control-allow-origin'), null)
  const asked = await call(url.pathname, OWN, {
    method: 'OPTIONS',
    headers: { 'access-control-request-method': 'GET' },
  })
  await asked.text()
  assert.equal(asked.headers.get('access-control-allow-origin'), null)
})
