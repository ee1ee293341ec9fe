import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as client from 'openid-client'
import { askUserInfo, USERINFO } from '../../support/identity/ask-userinfo.ts'
import {
  createRelyingParty,
  discover,
  readCallback,
  readRefusal,
  type Parameters,
  type Tokens,
} from '../../support/identity/relying-party.ts'
import { registerClient } from '../../support/identity/register-client.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

/*
 * The conditions of the OpenID Foundation's Basic OP and Config OP profiles, each named as the suite
 * names it. The suite is not here: this is what can be said without it. Its Basic OP clients use no
 * PKCE, which we demand of every client (the contract); ours do, in all of these.
 */
const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const { origin } = service
const EMAIL = 'ana@example.com'
const CALLBACKS = ['https://op.example.com/callback', 'https://op.example.com/callback?dummy=1']
const app = await createRelyingParty(service, {
  clientId: 'conformance',
  kind: 'confidential',
  redirectUris: CALLBACKS,
})
client.enableNonRepudiationChecks(app.config)
const ana = createVisitor(service)

before(async () => {
  await ana.signUp(EMAIL, 'Ana')
  await ana.signIn(EMAIL)
  await app.connect(ana)
})

const connect = (parameters: Parameters = {}): Promise<Tokens> =>
  app.connect(ana, { scope: 'openid', ...parameters }, { onSignIn: () => ana.signIn(EMAIL) })

async function readError(parameters: Parameters, visitor = ana): Promise<string | undefined> {
  const begun = await app.begin({ scope: 'openid', ...parameters })
  return readCallback(await app.visit(visitor, begun))['error']
}

test('oidcc-discovery-endpoint-verification', async () => {
  const response = await fetch(`${origin}/.well-known/openid-configuration`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const server = (await response.json()) as Record<string, unknown>
  assert.equal(server['issuer'], origin)
  for (const name of [
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'jwks_uri',
  ]) {
    assert.equal(new URL(String(server[name])).origin, origin)
  }
  assert.ok((server['scopes_supported'] as string[]).includes('openid'))
  assert.ok((server['response_types_supported'] as string[]).includes('code'))
  assert.ok((server['subject_types_supported'] as string[]).includes('public'))
  assert.ok((server['id_token_signing_alg_values_supported'] as string[]).includes('RS256'))
  assert.deepEqual(server['request_uri_parameter_supported'], false)
  assert.deepEqual(server['claims_parameter_supported'], false)
})

test('oidcc-discovery-jwks: keys for signing, unique ids, nothing private', async () => {
  const response = await fetch(`${origin}/api/oidc/jwks`)
  const { keys } = (await response.json()) as { keys: Record<string, string>[] }
  const kids = keys.map(({ kid }) => kid)
  assert.equal(new Set(kids).size, keys.length)
  for (const key of keys) {
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.equal(key[name], undefined)
  }
})

test('oidcc-server', async () => {
  const tokens = await connect()
  assert.equal(tokens.token_type.toLowerCase(), 'bearer')
  assert.ok(tokens.expires_in)
  const claims = tokens.claims()
  assert.ok(claims && claims.sub.length <= 255)
  assert.deepEqual([claims.iss, claims.aud], [origin, 'conformance'])
})

test('oidcc-server-client-secret-post', async () => {
  const clientId = 'post'
  const { secret = '' } = await registerClient(service, {
    clientId,
    kind: 'confidential',
    redirectUris: CALLBACKS,
  })
  const config = await discover(origin, clientId, client.ClientSecretPost(secret))
  const begun = await app.begin({ client_id: clientId, scope: 'openid' })
  begun.url.searchParams.set('client_id', clientId)
  const { callback } = await app.visit(ana, begun)
  assert.ok(callback)
  const checks = { pkceCodeVerifier: begun.verifier, expectedState: begun.state }
  const wrong = await discover(origin, clientId, client.ClientSecretPost(`${secret}x`))
  const refused = client.authorizationCodeGrant(wrong, callback, checks)
  assert.equal(await readRefusal(refused), 'invalid_client')
  const nonce = begun.nonce === undefined ? {} : { expectedNonce: begun.nonce }
  assert.ok(
    (await client.authorizationCodeGrant(config, callback, { ...checks, ...nonce })).id_token,
  )
})

test('oidcc-response-type-missing', async () => {
  assert.equal(await readErrorWithout('response_type'), 'invalid_request')
})

async function readErrorWithout(name: string): Promise<string | undefined> {
  const begun = await app.begin({ scope: 'openid' })
  begun.url.searchParams.delete(name)
  return readCallback(await app.visit(ana, begun))['error']
}

test('oidcc-idtoken-signature, oidcc-idtoken-kid', async () => {
  const { id_token: token = '' } = await connect()
  const head = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as object
  assert.deepEqual(Object.keys(head), ['alg', 'kid'])
})

for (const [name, init] of [
  ['oidcc-userinfo-get', {}],
  ['oidcc-userinfo-post-header', { method: 'POST' }],
] as const) {
  test(name, async () => {
    const tokens = await connect()
    const { status, claims } = await askUserInfo(service, tokens.access_token, init)
    assert.deepEqual([status, claims['sub']], [200, tokens.claims()?.sub])
  })
}

test('oidcc-userinfo-post-body', async () => {
  const tokens = await connect()
  const body = new URLSearchParams({ access_token: tokens.access_token })
  const response = await fetch(origin + USERINFO, { method: 'POST', body })
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.deepEqual(await response.json(), { sub: tokens.claims()?.sub })
})

test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
  const begun = await app.begin({ scope: 'openid', nonce: undefined })
  const { callback } = await app.visit(ana, begun)
  const tokens = await app.redeem({ ...begun, nonce: undefined }, callback)
  assert.equal(tokens.claims()?.nonce, undefined)
})

const SCOPES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  'oidcc-scope-profile': ['openid profile', ['sub', 'name']],
  'oidcc-scope-email': ['openid email', ['sub', 'email', 'email_verified']],
  'oidcc-scope-all': ['openid profile email', ['sub', 'name', 'email', 'email_verified']],
  'oidcc-ensure-other-scope-order-succeeds': ['email openid', ['sub', 'email', 'email_verified']],
}

for (const [name, [scope, expected]] of Object.entries(SCOPES)) {
  test(name, async () => {
    const tokens = await connect({ scope })
    const { claims } = await askUserInfo(service, tokens.access_token)
    assert.deepEqual(Object.keys(claims), expected)
    assert.equal(claims['sub'], tokens.claims()?.sub)
  })
}

const PASSED_OVER: Readonly<Record<string, Parameters>> = {
  'oidcc-display-page': { display: 'page' },
  'oidcc-display-popup': { display: 'popup' },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': { extra: 'foobar' },
  'oidcc-login-hint': { login_hint: EMAIL },
  'oidcc-ui-locales': { ui_locales: 'se' },
  'oidcc-claims-locales': { claims_locales: 'se' },
  'oidcc-ensure-request-with-acr-values-succeeds': { acr_values: '1 2' },
  'oidcc-claims-essential (not supported)': { claims: '{"userinfo":{"name":{"essential":true}}}' },
  'oidcc-ensure-request-with-valid-pkce-succeeds': {},
}

for (const [name, parameters] of Object.entries(PASSED_OVER)) {
  test(name, async () => {
    assert.ok((await connect(parameters)).id_token)
  })
}

test('oidcc-prompt-login', async () => {
  const first = await connect({ max_age: '10000' })
  let signIns = 0
  const onSignIn = async () => {
    signIns += 1
    await ana.signIn(EMAIL)
  }
  const second = await app.connect(ana, { scope: 'openid', prompt: 'login' }, { onSignIn })
  assert.equal(signIns, 1)
  assert.equal(second.claims()?.sub, first.claims()?.sub)
  assert.ok(Number(second.claims()?.auth_time) >= Number(first.claims()?.auth_time))
})

test('oidcc-prompt-none-not-logged-in', async () => {
  assert.equal(await readError({ prompt: 'none' }, createVisitor(service)), 'login_required')
})

test('oidcc-prompt-none-logged-in', async () => {
  const first = await connect({ max_age: '10000' })
  const second = await connect({ prompt: 'none', max_age: '10000' })
  assert.equal(second.claims()?.sub, first.claims()?.sub)
  assert.equal(second.claims()?.auth_time, first.claims()?.auth_time)
})

test('oidcc-max-age-1', async (t) => {
  const first = await connect({ max_age: '10000' })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 2_000 })
  assert.equal(await readError({ max_age: '1', prompt: 'none' }), 'login_required')
  const second = await connect({ max_age: '1' })
  const authTime = Number(second.claims()?.auth_time)
  assert.ok(authTime > Number(first.claims()?.auth_time))
  assert.ok(Date.now() / 1_000 - authTime <= 2)
})

test('oidcc-max-age-10000', async () => {
  const first = await connect({ max_age: '10000' })
  const second = await app.connect(ana, { scope: 'openid', max_age: '10000' })
  assert.equal(second.claims()?.auth_time, first.claims()?.auth_time)
})

test('oidcc-id-token-hint', async () => {
  const { id_token: hint, claims } = await connect()
  const tokens = await connect({ prompt: 'none', id_token_hint: hint })
  assert.equal(tokens.claims()?.sub, claims()?.sub)
})

test('oidcc-codereuse', async () => {
  const begun = await app.begin({ scope: 'openid' })
  const { callback } = await app.visit(ana, begun)
  await app.redeem(begun, callback)
  assert.equal(await readRefusal(app.redeem(begun, callback)), 'invalid_grant')
  await connect()
})

test('oidcc-codereuse-30seconds', async (t) => {
  const begun = await app.begin({ scope: 'openid' })
  const { callback } = await app.visit(ana, begun)
  const tokens = await app.redeem(begun, callback)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 30_000 })
  assert.equal(await readRefusal(app.redeem(begun, callback)), 'invalid_grant')
  assert.equal((await askUserInfo(service, tokens.access_token)).status, 401)
  await connect()
})

for (const [name, uri] of [
  ['oidcc-ensure-registered-redirect-uri', 'https://op.example.com/unregistered'],
  ['oidcc-redirect-uri-query-mismatch', 'https://op.example.com/callback?dummy=2'],
  ['oidcc-redirect-uri-query-added', 'https://op.example.com/callback?dummy=1&more=1'],
] as const) {
  test(name, async () => {
    const { url } = await app.begin({ redirect_uri: uri })
    const response = await ana.fetch(url)
    assert.deepEqual([response.status, response.headers.get('location')], [400, null])
    assert.match(await response.text(), /invalid_redirect_uri/)
  })
}

test('oidcc-redirect-uri-query-OK', async () => {
  const [, uri = ''] = CALLBACKS
  const begun = await app.begin({ scope: 'openid', redirect_uri: uri })
  const { callback } = await app.visit(ana, begun)
  assert.equal(callback?.searchParams.get('dummy'), '1')
})

test('oidcc-ensure-post-request-succeeds', async () => {
  const begun = await app.begin({ scope: 'openid' })
  const body = begun.url.searchParams
  const posted = await ana.fetch(begun.url.pathname, { method: 'POST', body })
  const { callback } = await ana.authorize(new URL(posted.headers.get('location') ?? '', origin))
  assert.ok((await app.redeem(begun, callback)).id_token)
})

test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', async () => {
  const request_uri = 'https://op.example.com/request.jwt'
  assert.equal(await readError({ request_uri }), 'request_uri_not_supported')
})

test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
  assert.equal(await readError({ request: 'eyJhbGciOiJub25lIn0.e30.' }), 'request_not_supported')
})

test('oidcc-refresh-token', async () => {
  const first = await connect({ scope: 'openid offline_access' })
  const second = await app.refresh(first.refresh_token)
  assert.ok(second.id_token && second.access_token !== first.access_token)
  const [one, other] = [first.claims(), second.claims()]
  assert.deepEqual([other?.iss, other?.sub, other?.aud], [one?.iss, one?.sub, one?.aud])
  assert.ok(Number(other?.iat) >= Number(one?.iat))
  assert.equal((await askUserInfo(service, second.access_token)).status, 200)
})

test('a Basic OP client of the suite, which has no PKCE, is refused on purpose', async () => {
  const none = { code_challenge: undefined, code_challenge_method: undefined }
  assert.equal(await readError(none), 'invalid_request')
})
