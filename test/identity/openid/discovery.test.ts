import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { sendBare } from '../../support/bare-request.ts'
import { createRelyingParty } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const { origin } = service
const issuer = new URL(origin)
const app = await createRelyingParty(service)
const DISCOVERY = '/.well-known/openid-configuration'
// oxlint-disable-next-line typescript/no-deprecated -- Deprecated only to stand out; this is loopback.
const insecure = { [oauth.allowInsecureRequests]: true }

test('discovery says where everything is, and only what we do', async () => {
  const response = await oauth.discoveryRequest(issuer, insecure)
  const server = await oauth.processDiscoveryResponse(issuer, response)
  assert.deepEqual(server, {
    issuer: origin,
    authorization_endpoint: `${origin}/api/oidc/authorize`,
    token_endpoint: `${origin}/api/oidc/token`,
    userinfo_endpoint: `${origin}/api/oidc/userinfo`,
    jwks_uri: `${origin}/api/oidc/jwks`,
    revocation_endpoint: `${origin}/api/oidc/revoke`,
    authorization_response_iss_parameter_supported: true,
    claim_types_supported: ['normal'],
    claims_parameter_supported: false,
    claims_supported: server['claims_supported'],
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    id_token_signing_alg_values_supported: ['RS256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    request_uri_parameter_supported: false,
    response_modes_supported: ['query'],
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'profile', 'email', 'plano', 'offline_access'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  })
  const claims = ['sub', 'name', 'picture', 'email', 'email_verified', 'plano', 'plano_pago']
  for (const claim of claims) assert.ok(server.claims_supported?.includes(claim), claim)
})

test('clients that know OAuth alone find the same (RFC 8414)', async () => {
  const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
  const server = await oauth.processDiscoveryResponse(issuer, response)
  assert.equal(server.token_endpoint, `${origin}/api/oidc/token`)
})

test('the key set has one RSA key to sign, and nothing private', async () => {
  const response = await fetch(`${origin}/api/oidc/jwks`)
  assert.match(response.headers.get('content-type') ?? '', /^application\/jwk-set\+json/)
  const { keys } = (await response.json()) as { keys: Record<string, string>[] }
  assert.equal(keys.length, 1)
  assert.deepEqual(Object.keys(keys[0] ?? {}).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  assert.deepEqual([keys[0]?.['alg'], keys[0]?.['use'], keys[0]?.['kty']], ['RS256', 'sig', 'RSA'])
})

test('a refusal of user info leads to the one who gives tokens (RFC 9728)', async () => {
  const resource = new URL(`${origin}/api/oidc/userinfo`)
  const refused = await fetch(resource)
  const [, place] =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  assert.equal(place, `${origin}/.well-known/oauth-protected-resource/api/oidc/userinfo`)
  const response = await oauth.resourceDiscoveryRequest(resource, insecure)
  assert.equal(response.url, place)
  const metadata = await oauth.processResourceDiscoveryResponse(resource, response)
  assert.deepEqual(metadata.authorization_servers, [origin])
  const bare = await fetch(`${origin}/.well-known/oauth-protected-resource`)
  assert.deepEqual(await bare.json(), metadata)
})

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { host: 'evil.example' },
  { host: 'evil.example:443', 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' },
  { forwarded: 'host=evil.example;proto=https' },
]

for (const headers of FOREIGN) {
  test(`the addresses that we name are ours, with ${JSON.stringify(headers)}`, async () => {
    const expected = await fetch(origin + DISCOVERY)
    const { text } = await sendBare(service, { method: 'GET', path: DISCOVERY, headers })
    assert.deepEqual(JSON.parse(text), await expected.json())
    const { url } = await app.begin()
    const path = url.pathname + url.search
    const sent = await sendBare(service, { method: 'GET', path, headers })
    assert.match(sent.headers.get('location') ?? '', /^\/interaction\//)
  })
}

test('the addresses that we name are ours, when asked for by a whole address', async () => {
  const path = `http://evil.example${DISCOVERY}`
  const { text } = await sendBare(service, { method: 'GET', path })
  assert.ok(!text.includes('evil.example'), text)
  const ana = createVisitor(service)
  await ana.signUp('ana@example.com')
  await ana.signIn('ana@example.com')
  const { url } = await app.begin({ prompt: 'none' })
  const asked = { method: 'GET', path: `http://evil.example${url.pathname}${url.search}` }
  const refused = await sendBare(service, asked)
  assert.ok(refused.headers.get('location')?.includes(`iss=${encodeURIComponent(origin)}`))
})
