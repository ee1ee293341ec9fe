import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as client from 'openid-client'
import { createRelyingParty } from '../../support/identity/relying-party.ts'
import { fetchSelfSigned, startTlsProxy } from '../../support/identity/tls-proxy.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const proxy = await startTlsProxy({ after })
const service = await serveFor({ after }, { issuer: proxy.origin, trustedProxies: ['127.0.0.1'] })
proxy.forwardTo(service.origin)
const cookies: string[] = []

async function fetchAndNote(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetchSelfSigned(input, init)
  cookies.push(...response.headers.getSetCookie())
  return response
}

const ana = createVisitor({ ...service, origin: proxy.origin }, fetchAndNote)
const app = await createRelyingParty(service, {
  issuer: proxy.origin,
  fetch: (url, options) => fetchSelfSigned(url, options as RequestInit),
})

test('behind a proxy that ends TLS, everything is at https, and works', async () => {
  const server = app.config.serverMetadata()
  assert.equal(server.issuer, proxy.origin)
  assert.equal(server.token_endpoint, `${proxy.origin}/api/oidc/token`)
  await ana.signUp('ana@example.com', 'Ana')
  const signIn = { onSignIn: () => ana.signIn('ana@example.com') }
  const tokens = await app.connect(ana, undefined, signIn)
  assert.equal(tokens.claims()?.iss, proxy.origin)
  const { sub = '' } = tokens.claims() ?? {}
  const told = await client.fetchUserInfo(app.config, tokens.access_token, sub)
  assert.equal(told.email, 'ana@example.com')
  const refreshed = await app.refresh(tokens.refresh_token)
  assert.ok(refreshed.refresh_token)
  const again = await app.connect(ana)
  assert.equal(again.claims()?.sub, sub)
})

test('there, cookies are kept from plain http, from scripts and from other hosts', () => {
  const names = new Map(cookies.map((cookie) => [cookie.split('=', 1)[0] ?? '', cookie]))
  for (const [name, cookie] of names) {
    assert.match(cookie, /; secure/i, cookie)
    assert.match(cookie, /; httponly/i, cookie)
    assert.match(cookie, /; samesite=lax/i, cookie)
    assert.match(name, /^__(Host|Secure)-/)
    assert.doesNotMatch(cookie, /; domain=/i, cookie)
    if (name.startsWith('__Host-')) assert.match(cookie, /; path=\/(;|$)/i, cookie)
  }
  for (const name of [
    '__Host-parley_openid',
    '__Secure-parley_interaction',
    '__Secure-parley_resume',
  ]) {
    assert.ok(
      names.has(name) && names.has(`${name}.sig`),
      `${name}: ${[...names.keys()].join(', ')}`,
    )
  }
})

test('there, refusals name https addresses as well', async () => {
  const refused = await fetchSelfSigned(`${proxy.origin}/api/oidc/userinfo`)
  assert.equal(
    refused.headers.get('www-authenticate'),
    `Bearer realm="${proxy.origin}", resource_metadata="${proxy.origin}/.well-known/oauth-protected-resource/api/oidc/userinfo"`,
  )
  assert.equal(await refused.text(), '{"error":"invalid_token"}')
})
