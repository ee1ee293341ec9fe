import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { operate } from '../../support/call.ts'
import {
  askUserInfo,
  refreshTokens,
  runCodeFlow,
  type App,
} from '../../support/identity/run-code-flow.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true })
const visitor = createVisitor(service)
await visitor.signUp('ana@example.com', 'Ana')
await visitor.signIn('ana@example.com')

const REDIRECT_URI = 'https://app.example.com/callback'

async function register(
  kind: 'public' | 'confidential',
  redirectUris: readonly string[] = [REDIRECT_URI],
): Promise<App & { readonly path: string }> {
  const body = { name: 'An app', kind, redirect_uris: redirectUris }
  const { status, json, text } = await operate(service, 'POST', '/clients', body)
  assert.equal(status, 201, text)
  return {
    clientId: json.client_id,
    secret: json.client_secret,
    redirectUri: String(redirectUris[0]),
    path: `/clients/${json.client_id}`,
  }
}

/** What the store has of an app's tokens and consents. */
async function listArtifacts({ clientId }: App): Promise<{ model: string }[]> {
  const db = withTables<IdentityTables>(service.store.db)
  return db.selectFrom('oidc_artifact').select('model').where('client_id', '=', clientId).execute()
}

test('an app that was registered signs people in at once, whichever its kind', async () => {
  for (const kind of ['public', 'confidential'] as const) {
    const app = await register(kind)
    const { status, body, visit } = await runCodeFlow(service, visitor, app)
    assert.equal(status, 200, visit.trail.join('\n') + visit.last.text)
    assert.equal(await askUserInfo(service, body.access_token), 200)
  }
})

test('a secret is shown once, has 256 bits and opens nothing that is not its own app', async () => {
  const { status, json } = await operate(service, 'POST', '/clients', {
    name: 'Example Chat',
    kind: 'confidential',
    redirect_uris: [REDIRECT_URI],
  })
  assert.equal(status, 201)
  const { client_secret: secret, ...shown } = json
  assert.match(String(secret), /^[\w-]{43}$/)
  assert.deepEqual(shown, {
    client_id: shown.client_id,
    name: 'Example Chat',
    kind: 'confidential',
    redirect_uris: [REDIRECT_URI],
    created_at: service.clock.nowMs(),
  })
  assert.match(shown.client_id, /^app_[0-9a-f]{32}$/)
  const one = await operate(service, 'GET', `/clients/${shown.client_id}`)
  assert.deepEqual(one.json, shown)
  const list = await operate(service, 'GET', '/clients?limit=1')
  assert.deepEqual(list.json.data, [shown])
  const audit = await operate(service, 'GET', '/audit')
  for (const { text } of [one, list, audit]) assert.ok(!text.includes(String(secret)))
  for (const wrong of [`${secret}x`, 'x', (await register('confidential')).secret]) {
    const app = { clientId: shown.client_id, secret: wrong, redirectUri: REDIRECT_URI }
    const flow = await runCodeFlow(service, visitor, app)
    assert.deepEqual([flow.status, flow.body.error], [401, 'invalid_client'])
  }
  const without = { clientId: shown.client_id, redirectUri: REDIRECT_URI }
  assert.equal((await runCodeFlow(service, visitor, without)).body.error, 'invalid_client')
})

test('a public app has no secret, and none is made for it', async () => {
  const { path, secret } = await register('public')
  assert.equal(secret, null)
  assertRefused(await operate(service, 'POST', `${path}/secret`), 'conflict')
})

test('a rotated secret stops at once; the new one takes up what the old one had begun', async () => {
  const app = await register('confidential')
  const { body } = await runCodeFlow(service, visitor, app)
  const { status, json } = await operate(service, 'POST', `${app.path}/secret`)
  assert.equal(status, 201)
  assert.match(String(json.client_secret), /^[\w-]{43}$/)
  assert.notEqual(json.client_secret, app.secret)
  const old = await refreshTokens(service, app, body.refresh_token)
  assert.deepEqual([old.status, old.body.error], [401, 'invalid_client'])
  const renewed = { ...app, secret: json.client_secret }
  assert.equal((await refreshTokens(service, renewed, body.refresh_token)).status, 200)
})

test('a deleted app has nothing left of anybody: tokens, refreshes and sign-ins end at once', async () => {
  const app = await register('confidential')
  const other = await register('confidential')
  const { body } = await runCodeFlow(service, visitor, app)
  const kept = await runCodeFlow(service, visitor, other)
  assert.ok((await listArtifacts(app)).length > 2)
  assert.equal((await operate(service, 'DELETE', app.path)).status, 204)
  assert.deepEqual(await listArtifacts(app), [])
  assert.equal(await askUserInfo(service, body.access_token), 401)
  const refreshed = await refreshTokens(service, app, body.refresh_token)
  assert.deepEqual([refreshed.status, refreshed.body.error], [401, 'invalid_client'])
  const { visit } = await runCodeFlow(service, visitor, app)
  assert.deepEqual([visit.callback, visit.last.status], [undefined, 400])
  assertRefused(await operate(service, 'GET', app.path), 'not_found')
  assertRefused(await operate(service, 'DELETE', app.path), 'not_found')
  assert.equal(await askUserInfo(service, kept.body.access_token), 200)
})

test('an address that an app gave up is refused, and the one it took is used, from the next sign-in', async () => {
  const app = await register('public')
  const redirectUri = 'https://app.example.com/signed-in'
  const changes = { name: 'New name', redirect_uris: [redirectUri] }
  const { status, json } = await operate(service, 'PATCH', app.path, changes)
  assert.deepEqual([status, json.name, json.redirect_uris], [200, 'New name', [redirectUri]])
  assert.equal((await runCodeFlow(service, visitor, app)).visit.last.status, 400)
  assert.equal((await runCodeFlow(service, visitor, { ...app, redirectUri })).status, 200)
  const same = await operate(service, 'PATCH', app.path, {})
  assert.deepEqual(same.json, json)
})

test('an app is sent back where it registered exactly, but for the port of a loopback address', async () => {
  const native = await register('public', [
    'com.example.app:/callback',
    'http://127.0.0.1/callback',
    'https://app.example.com/native',
  ])
  for (const redirectUri of [
    'com.example.app:/callback',
    'http://127.0.0.1:49152/callback',
    'https://app.example.com/native',
  ]) {
    const flow = await runCodeFlow(service, visitor, { ...native, redirectUri })
    assert.equal(flow.status, 200, redirectUri + flow.visit.last.text)
  }
  for (const redirectUri of [
    'http://127.0.0.1:49152/callback/',
    'http://localhost:49152/callback',
    'http://[::1]:49152/callback',
    'https://app.example.com:8443/native',
    'https://app.example.com/native?x=1',
    'com.example.app:/callback2',
    'com.example.other:/callback',
  ]) {
    const { visit } = await runCodeFlow(service, visitor, { ...native, redirectUri })
    assert.deepEqual([visit.callback, visit.last.status], [undefined, 400], redirectUri)
  }
})

const REFUSED = [
  'http://app.example.com/callback',
  'http://localhost:3000/callback',
  'http://127.0.0.1.example.com/callback',
  'http://127.0.0.2/callback',
  'http://127.1/callback',
  'http://[::2]/callback',
  'http://127.0.0.1@example.com/',
  'https://user@app.example.com/',
  'https://user:word@app.example.com/',
  'https://@app.example.com/',
  'https://app.example.com/#fragment',
  'https://app.example.com/#',
  'https://*.example.com/callback',
  'https://app.example.com/*',
  'https://app.example.com\\@evil.example/',
  'https://app.example.com:99999/',
  'https://app.example.com/ space',
  ' https://app.example.com/',
  'https://app.example.com/\n',
  'https:app.example.com/',
  'https:///callback',
  '//app.example.com/callback',
  '/callback',
  'app.example.com',
  '',
  'ftp://app.example.com/',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'vbscript:x',
  'blob:https://app.example.com/x',
  'about:blank',
  'myapp:/callback',
  'myapp://callback',
  'urn:ietf:wg:oauth:2.0:oob',
  `https://app.example.com/${'x'.repeat(2_000)}`,
]

for (const uri of REFUSED) {
  test(`no app is sent back to ${JSON.stringify(uri.slice(0, 60))}`, async () => {
    const uris = [REDIRECT_URI, uri]
    for (const kind of ['public', 'confidential']) {
      const body = { name: 'An app', kind, redirect_uris: uris }
      const answer = await operate(service, 'POST', '/clients', body)
      assert.match(assertRefused(answer, 'invalid_request'), /^redirect_uris\[1\]: must /)
    }
    const { path } = await register('public')
    const answer = await operate(service, 'PATCH', path, { redirect_uris: uris })
    assert.match(assertRefused(answer, 'invalid_request'), /^redirect_uris\[1\]: must /)
  })
}

test("a confidential app has no scheme of its own, and no app has one beside https on this machine's", async () => {
  const scheme = 'com.example.app:/callback'
  const { path } = await register('confidential', [REDIRECT_URI, 'http://127.0.0.1:3000/callback'])
  for (const [method, where, body] of [
    ['POST', '/clients', { name: 'x', kind: 'confidential', redirect_uris: [scheme] }],
    ['PATCH', path, { redirect_uris: [scheme] }],
    [
      'POST',
      '/clients',
      { name: 'x', kind: 'public', redirect_uris: ['https://localhost/cb', scheme] },
    ],
  ] as const) {
    const answer = await operate(service, method, where, body)
    assert.match(assertRefused(answer, 'invalid_request'), /^redirect_uris\[0\]: must /)
  }
})

test('an app has from 1 to 20 addresses, a name and a kind', async () => {
  const good = { name: 'x', kind: 'public', redirect_uris: [REDIRECT_URI] }
  const many = Array.from({ length: 21 }, (_, index) => `${REDIRECT_URI}/${index}`)
  for (const [field, body] of [
    ['redirect_uris', { ...good, redirect_uris: [] }],
    ['redirect_uris', { ...good, redirect_uris: many }],
    ['redirect_uris', { name: 'x', kind: 'public' }],
    ['name', { ...good, name: '' }],
    ['name', { ...good, name: 'x\0' }],
    ['kind', { ...good, kind: 'secret' }],
    ['client_secret', { ...good, client_secret: 'mine' }],
    ['client_id', { ...good, client_id: 'parley-cli' }],
  ] as const) {
    const answer = await operate(service, 'POST', '/clients', body)
    assert.ok(assertRefused(answer, 'invalid_request').startsWith(field), answer.text)
  }
  const most = { ...good, redirect_uris: many.slice(1) }
  assert.equal((await operate(service, 'POST', '/clients', most)).status, 201)
})

test('what is done to apps is written down, without any secret', async () => {
  const app = await register('confidential')
  const { json: rotated } = await operate(service, 'POST', `${app.path}/secret`)
  await operate(service, 'PATCH', app.path, { name: 'Another' })
  await operate(service, 'PATCH', app.path, { redirect_uris: ['http://x'] })
  await operate(service, 'DELETE', app.path)
  await operate(service, 'DELETE', app.path)
  const { json, text } = await operate(service, 'GET', '/audit?limit=4')
  const id = { client_id: app.clientId }
  assert.deepEqual(
    json.data.map(({ action, actor, details }) => [action, actor, details]),
    [
      ['client.deleted', 'operator', id],
      ['client.changed', 'operator', { ...id, name: 'Another' }],
      ['client.secret_rotated', 'operator', id],
      [
        'client.created',
        'operator',
        { ...id, name: 'An app', kind: 'confidential', redirect_uris: REDIRECT_URI },
      ],
    ],
  )
  assert.ok(!text.includes(String(app.secret)) && !text.includes(String(rotated.client_secret)))
})

test("apps are listed newest first, page by page, without the service's own", async () => {
  const ids = [await register('public'), await register('public')].map(({ clientId }) => clientId)
  const { json: first } = await operate(service, 'GET', '/clients?limit=1')
  const next = await operate(service, 'GET', `/clients?limit=1&cursor=${first.next_cursor}`)
  const [newest, older] = [first.data[0].client_id, next.json.data[0].client_id]
  assert.deepEqual([older, newest], ids)
  const { text } = await operate(service, 'GET', '/clients?limit=200')
  assert.ok(!text.includes('parley-cli'))
})
