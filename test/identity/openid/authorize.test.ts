import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  createRelyingParty,
  readCallback,
  readRefusal,
  REDIRECT_URI,
  type Parameters,
} from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const LOOPBACKS = [
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
  'com.example.app:/callback',
]
const web = await createRelyingParty(service, {
  redirectUris: [
    REDIRECT_URI,
    'https://app.example.com/other?kept=1',
    'http://dev.example.com:8080/cb',
  ],
})
const backend = await createRelyingParty(service, { clientId: 'backend', kind: 'confidential' })
const native = await createRelyingParty(service, { clientId: 'native', redirectUris: LOOPBACKS })
const mixed = await createRelyingParty(service, {
  clientId: 'mixed',
  redirectUris: ['https://app.example.com/mobile', 'com.example.mobile:/callback'],
})
const ana = createVisitor(service)
await ana.signUp('ana@example.com', 'Ana')
await ana.signIn('ana@example.com')

const CHALLENGES: Readonly<Record<string, Parameters>> = {
  'no challenge': { code_challenge: undefined, code_challenge_method: undefined },
  'the method plain': { code_challenge_method: 'plain' },
  'a challenge whose method is left out': { code_challenge_method: undefined },
  'a method without a challenge': { code_challenge: undefined },
  'a challenge that is too short': { code_challenge: 'short' },
}

for (const [what, parameters] of Object.entries(CHALLENGES)) {
  test(`PKCE is asked of every client: ${what} is refused`, async () => {
    for (const app of [web, backend, native]) {
      const begun = await app.begin(parameters)
      const { error, state, code } = readCallback(await app.visit(ana, begun))
      assert.deepEqual([error, state, code], ['invalid_request', begun.state, undefined])
    }
  })
}

test('a code is given up only to who has its verifier, its client and its address', async () => {
  const begun = await backend.begin()
  const { callback } = await backend.visit(ana, begun)
  const other = await web.begin()
  const wrong = backend.redeem({ ...begun, verifier: other.verifier }, callback)
  assert.equal(await readRefusal(wrong), 'invalid_grant')
  const ofOther = web.redeem(begun, callback)
  assert.equal(await readRefusal(ofOther), 'invalid_grant')
  const tokens = await backend.redeem(begun, callback)
  assert.ok(tokens.refresh_token)
})

const MISMATCHES: readonly string[] = [
  'https://app.example.com/callback/',
  'https://app.example.com/callback?a=1',
  'https://app.example.com/Callback',
  'https://APP.example.com/callback',
  'https://app.example.com:443/callback',
  'https://app.example.com:8443/callback',
  'https://app.example.com/callback#fragment',
  'https://user@app.example.com/callback',
  'https://app.example.com.evil.example/callback',
  'https://evil.example/?https://app.example.com/callback',
  'https://app.example.com/../callback',
  'https://app.example.com/other',
  'https://app.example.com/other?kept=2',
  'http://app.example.com/callback',
  'http://dev.example.com:8081/cb',
  'javascript:alert(1)//https://app.example.com/callback',
  'data:text/html,<script>alert(1)</script>',
  '//app.example.com/callback',
  '/callback',
  'callback',
  `${REDIRECT_URI}\u0000`,
  `${REDIRECT_URI}\r\nlocation: https://evil.example`,
]

async function assertShown(url: URL): Promise<string> {
  const response = await ana.fetch(url)
  const text = await response.text()
  assert.equal(response.status, 400, text)
  assert.equal(response.headers.get('location'), null)
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.equal(response.headers.get('x-frame-options'), 'DENY')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  // Our own alone.
  assert.doesNotMatch(text, /<script(?! type="module" src="\/assets\/)/)
  return text
}

for (const uri of MISMATCHES) {
  test(`nobody is sent to ${JSON.stringify(uri)}, which the app has not registered`, async () => {
    const { url } = await web.begin({ redirect_uri: uri })
    assert.match(await assertShown(url), /invalid_redirect_uri/)
    // Nor with another error, which would otherwise be told to the app.
    url.searchParams.set('response_type', 'nonsense')
    url.searchParams.set('response_mode', 'form_post')
    await assertShown(url)
  })
}

test('who names no app, or an unknown one, or no address sees a page with nothing of theirs in it', async () => {
  for (const id of [
    undefined,
    'unknown',
    '\u0000',
    '"><script>alert(1)</script>',
    'a'.repeat(5_000),
  ]) {
    const { url } = await web.begin()
    url.searchParams.delete('client_id')
    if (id !== undefined) url.searchParams.set('client_id', id)
    await assertShown(url)
  }
  const { url } = await web.begin({ redirect_uri: undefined })
  await assertShown(url)
  url.searchParams.append('redirect_uri', REDIRECT_URI)
  url.searchParams.append('redirect_uri', 'https://evil.example')
  await assertShown(url)
})

for (const uri of [
  'http://127.0.0.1:51004/callback',
  'http://[::1]:51004/callback',
  'com.example.app:/callback',
]) {
  test(`a native app is called back at ${uri}`, async () => {
    const tokens = await native.connect(ana, { redirect_uri: uri })
    assert.ok(tokens.refresh_token)
  })
}

for (const uri of [
  'http://localhost:51004/callback',
  'http://127.0.0.1:51004/other',
  'http://127.0.0.2:51004/callback',
  'http://user@127.0.0.1:51004/callback',
  'http://127.0.0.1:51004/callback?a=1',
  'http://127.0.0.1:99999/callback',
  'https://127.0.0.1/callback',
  'com.example.app://callback',
  'com.example.other:/callback',
]) {
  test(`a native app is not called back at ${uri}`, async () => {
    const { url } = await native.begin({ redirect_uri: uri })
    assert.match(await assertShown(url), /invalid_redirect_uri/)
  })
}

test('an app may have an address of the web and a scheme of its own', async () => {
  for (const uri of ['https://app.example.com/mobile', 'com.example.mobile:/callback']) {
    assert.ok((await mixed.connect(ana, { redirect_uri: uri })).refresh_token)
  }
})

const REFUSED: Readonly<Record<string, readonly [Parameters, string]>> = {
  'a request object': [{ request: 'e30.e30.' }, 'request_not_supported'],
  'a request elsewhere': [
    { request_uri: 'https://app.example.com/r' },
    'request_uri_not_supported',
  ],
  'a registration': [{ registration: '{}' }, 'registration_not_supported'],
  'the implicit flow': [{ response_type: 'id_token' }, 'unsupported_response_type'],
  'the hybrid flow': [{ response_type: 'code id_token' }, 'unsupported_response_type'],
  'a form for an answer': [{ response_mode: 'form_post' }, 'unsupported_response_mode'],
  'a fragment for an answer': [{ response_mode: 'fragment' }, 'unsupported_response_mode'],
  'a signed answer': [{ response_mode: 'jwt' }, 'unsupported_response_mode'],
  'an unknown prompt': [{ prompt: 'create' }, 'invalid_request'],
  'no prompt and another': [{ prompt: 'none login' }, 'invalid_request'],
  'an age that is none': [{ max_age: '-1' }, 'invalid_request'],
}

for (const [what, [parameters, expected]] of Object.entries(REFUSED)) {
  test(`${what} is refused, and the app is told why`, async () => {
    const begun = await web.begin(parameters)
    const visit = await web.visit(ana, begun)
    const url = new URL(visit.callback?.href.replace('#', '?') ?? 'https://nowhere.example')
    assert.equal(url.searchParams.get('error'), expected, visit.last.text)
    assert.equal(url.searchParams.get('state'), begun.state)
    assert.equal(url.searchParams.get('iss'), service.origin)
  })
}

test('what we do not know, and hints, change nothing', async () => {
  const tokens = await web.connect(ana, {
    ui_locales: 'pt-BR pt en',
    claims: '{"userinfo":{"plano":{"essential":true}}}',
    login_hint: '"><script>\u0000',
    display: 'popup',
    acr_values: 'urn:mace:incommon:iap:silver',
    response_mode: 'query',
    signed_in_since: '0',
    nonsense: 'yes',
    scope: 'openid',
  })
  assert.equal(tokens.scope, 'openid')
})

test('an answer keeps what the registered address had, and has no body that tells the code', async () => {
  await web.connect(ana)
  const begun = await web.begin({ redirect_uri: 'https://app.example.com/other?kept=1' })
  const response = await ana.fetch(begun.url)
  const place = new URL(response.headers.get('location') ?? '')
  assert.equal(place.searchParams.get('kept'), '1')
  assert.ok(place.searchParams.get('code'))
  assert.equal(await response.text(), '')
  assert.equal(response.headers.get('content-type'), null)
})
