import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as ask, Agent, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { identityTables } from '#identity/index.ts'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import {
  createRelyingParty,
  readRefusal,
  type Tokens,
} from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const app = await createRelyingParty(service)
const ana = createVisitor(service)
let tokens: Tokens

before(async () => {
  await ana.signUp('ana@example.com', 'Ana')
  await ana.signIn('ana@example.com')
  tokens = await app.connect(ana)
})

const GARBAGE = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\uffff',
  '%00',
  '[object Object]',
  '__proto__',
  'é'.repeat(900),
]

const PARAMETERS = (
  'client_id redirect_uri scope state nonce prompt max_age response_type response_mode display ' +
  'code_challenge code_challenge_method id_token_hint login_hint ui_locales claims_locales ' +
  'acr_values signed_in_since resource'
).split(' ')

test('no parameter of an authorization can break us, whatever is in it, or how often it comes', async () => {
  for (const name of PARAMETERS) {
    for (const value of GARBAGE) {
      const { url } = await app.begin()
      url.searchParams.set(name, value)
      const sent = await ana.fetch(url)
      await sent.text()
      assert.ok(sent.status < 500, `${name}=${JSON.stringify(value)}: ${sent.status}`)
      url.searchParams.append(name, value)
      const twice = await ana.fetch(url)
      await twice.text()
      assert.ok(twice.status < 500, `${name} twice: ${twice.status}`)
    }
  }
})

test('what an app sends along comes back as it was, or is refused', async () => {
  for (const state of [
    'a\u0000b',
    '"><script>alert(1)</script>',
    '%0d%0aSet-Cookie:a=b',
    '🦜 &=#?',
  ]) {
    const { url } = await app.begin({ state, prompt: 'none' })
    const response = await ana.fetch(url)
    const place = new URL(response.headers.get('location') ?? '')
    assert.equal(place.searchParams.get('state'), state)
    assert.ok(!response.headers.getSetCookie().some((cookie) => cookie.startsWith('a=')))
  }
})

function post(
  path: string,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(service.origin + path, { method: 'POST', body, headers })
}

test('no parameter of the token endpoint or of revocation can break us', async () => {
  const code = {
    grant_type: 'authorization_code',
    client_id: 'chat',
    code: 'x',
    code_verifier: 'y',
  }
  const refresh = { grant_type: 'refresh_token', client_id: 'chat', refresh_token: 'x' }
  const revoke = { client_id: 'chat', token: 'x', token_type_hint: 'access_token' }
  for (const [path, fields] of [
    ['/api/oidc/token', { ...code, redirect_uri: 'https://app.example.com/callback' }],
    ['/api/oidc/token', { ...refresh, scope: 'openid', client_secret: '' }],
    ['/api/oidc/revoke', revoke],
  ] as const) {
    for (const name of Object.keys(fields)) {
      for (const value of GARBAGE) {
        const body = new URLSearchParams({ ...fields, [name]: value })
        const one = await post(path, body)
        assert.ok(one.status < 500, `${path} ${name}=${JSON.stringify(value)}: ${await one.text()}`)
        body.append(name, value)
        const two = await post(path, body)
        assert.ok(two.status < 500, `${path} ${name} twice: ${await two.text()}`)
      }
    }
  }
})

const TYPES = ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'nonsense', '']

test('the token endpoint takes forms alone, and answers all else with a plain refusal', async () => {
  const body = JSON.stringify({ grant_type: 'refresh_token', client_id: 'chat' })
  for (const type of TYPES) {
    const response = await post('/api/oidc/token', body, {
      'content-type': type,
      accept: 'text/html',
    })
    assert.equal(response.status, 400, type)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request')
  }
  const basic = await post('/api/oidc/token', new URLSearchParams({ grant_type: 'x' }), {
    authorization: `Basic ${Buffer.from('\u0000:\u0000').toString('base64')}`,
  })
  assert.ok([400, 401].includes(basic.status))
})

/** Several requests on one connection, each with a body sent whole or in pieces. */
async function sendOn(agent: Agent, path: string, bytes: number, framing: 'length' | 'chunked') {
  const request = ask(service.origin + path, {
    agent,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(framing === 'length' && { 'content-length': bytes }),
    },
  })
  const piece = Buffer.alloc(16_384, 'a')
  for (let sent = 0; sent < bytes; sent += piece.length) {
    request.write(piece.subarray(0, bytes - sent))
  }
  request.end()
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await text(answer), port: request.socket?.localPort }
}

for (const framing of ['length', 'chunked'] as const) {
  test(`a body that is far too large is refused, and its connection goes on (${framing})`, async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    const ports = new Set<number | undefined>()
    for (const path of [
      '/api/oidc/token',
      '/api/oidc/revoke',
      '/api/oidc/userinfo',
      '/api/oidc/token',
    ]) {
      const { status, port } = await sendOn(agent, path, 1_048_576, framing)
      assert.ok(status === 400 || status === 413, `${path}: ${status}`)
      ports.add(port)
      const small = await sendOn(agent, '/api/oidc/token', 10, framing)
      assert.equal(small.status, 400)
      ports.add(small.port)
    }
    assert.equal(ports.size, 1)
    const form = await sendOn(agent, '/api/oidc/authorize', 1_048_576, framing)
    assert.equal(form.status, 413)
    assert.match(form.body, /^<!doctype html>/)
  })
}

test('the form that an app sends its people with is only ever led to our own address', async () => {
  const body = new URLSearchParams({ redirect_uri: '//evil.example', client_id: '\u0000' })
  const response = await post('/api/oidc/authorize?x=//evil.example', body)
  assert.equal(response.status, 400, 'fetch followed it to the page')
  assert.ok(response.url.startsWith(`${service.origin}/api/oidc/authorize?`))
  const json = await post('/api/oidc/authorize', '{}', { 'content-type': 'application/json' })
  assert.deepEqual([json.status, json.headers.get('x-frame-options')], [400, 'DENY'])
})

async function dumpStore(): Promise<string> {
  const tables = [...Object.keys(identityTables), 'person', 'account', 'audit']
  const dumps = tables.map(async (table) => {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(service.store.db)
    return JSON.stringify(rows)
  })
  return (await Promise.all(dumps)).join('\n')
}

test('no token, code, cookie or uid that was given out is in the store, or in the log', async () => {
  const seen = new Map<string, string>()
  const other = await createRelyingParty(service, { clientId: 'seen', kind: 'confidential' })
  const begun = await other.begin()
  const first = await ana.fetch(begun.url)
  const place = first.headers.get('location') ?? ''
  seen.set('uid', place.split('/').at(-1) ?? '')
  const { callback } = await ana.authorize(new URL(place, service.origin))
  seen.set('code', callback?.searchParams.get('code') ?? '')
  const given = await other.redeem(begun, callback)
  const next = await other.refresh(given.refresh_token)
  for (const [name, one] of Object.entries({ tokens, given, next })) {
    seen.set(`access token ${name}`, one.access_token)
    seen.set(`refresh token ${name}`, one.refresh_token ?? '')
    seen.set(`id token ${name}`, one.id_token ?? '')
  }
  assert.equal((await askUserInfo(service, next.access_token)).status, 200)
  await askUserInfo(service, `${next.access_token}x`)
  await readRefusal(app.refresh('garbage'))
  for (const { name, value } of ana.cookies.values()) {
    if (name.includes('openid') || name.includes('interaction')) seen.set(`cookie ${name}`, value)
  }
  await ana.fetch((await other.begin({ prompt: 'consent' })).url)
  for (const { name, value } of ana.cookies.values()) seen.set(`late cookie ${name}`, value)
  const [store, log] = [await dumpStore(), service.logged.join('\n')]
  for (const [what, value] of seen) {
    assert.ok(value.length > 16, `${what}: ${value}`)
    // better-auth keeps the token of its session as it stands; the cookie has a signature beside it.
    if (!what.includes('session_token')) {
      assert.ok(!store.includes(value), `${what} is in the store`)
    }
    assert.ok(!log.includes(value), `${what} is in the log`)
  }
  assert.ok(!log.includes('ana@example.com'))
})

test('what the provider answers is in the log with its route and status', async () => {
  const count = service.logged.length
  await askUserInfo(service, 'garbage')
  await ana.fetch('/api/oidc/authorize?client_id=unknown')
  await ana.fetch('/api/oidc/jwks')
  const lines = service.logged
    .slice(count)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    lines.map(({ route, status }) => [route, status]),
    [
      ['/api/oidc/userinfo', 401],
      ['/api/oidc/authorize', 400],
      ['/api/oidc/jwks', 200],
    ],
  )
})
