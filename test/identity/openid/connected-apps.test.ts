import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import {
  createRelyingParty,
  readCallback,
  readRefusal,
  type Tokens,
} from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const { connectedApps } = service.app.identity
const chat = await createRelyingParty(service)
const mail = await createRelyingParty(service, { clientId: 'mail', kind: 'confidential' })
const ana = createVisitor(service)
const bia = createVisitor(service)
const ids = { ana: '', bia: '' }

before(async () => {
  await ana.signUp('ana@example.com', 'Ana')
  await ana.signIn('ana@example.com')
  await bia.signUp('bia@example.com', 'Bia')
  await bia.signIn('bia@example.com')
  ids.bia = (await chat.connect(bia)).claims()?.sub ?? ''
})

async function isAlive({ access_token: token }: Tokens): Promise<boolean> {
  return (await askUserInfo(service, token)).status === 200
}

test('a person sees which apps know them, since when, and what they know', async () => {
  const { clock } = service
  const consentedAtMs = clock.nowMs()
  const first = await chat.connect(ana, { scope: 'openid email' })
  ids.ana = first.claims()?.sub ?? ''
  const only = { clientId: 'chat', name: 'The app chat', scopes: ['openid', 'email'] }
  const [listed] = await connectedApps.list(ids.ana)
  assert.deepEqual(listed, { ...only, consentedAtMs, usedAtMs: consentedAtMs })

  clock.advance(60_000)
  await askUserInfo(service, first.access_token)
  const [unused] = await connectedApps.list(ids.ana)
  assert.equal(unused?.usedAtMs, consentedAtMs, 'asking is not written down')
  const { refresh_token: token } = await chat.connect(ana, { scope: 'openid plano offline_access' })
  const [wider] = await connectedApps.list(ids.ana)
  const scopes = ['openid', 'email', 'plano', 'offline_access']
  assert.deepEqual(wider, { ...only, scopes, consentedAtMs, usedAtMs: clock.nowMs() })

  clock.advance(60_000)
  await chat.refresh(token)
  await mail.connect(ana, { scope: 'openid' })
  const apps = await connectedApps.list(ids.ana)
  assert.deepEqual(
    apps.map(({ clientId, usedAtMs }) => [clientId, usedAtMs]),
    [
      ['chat', clock.nowMs()],
      ['mail', clock.nowMs()],
    ],
  )
})

test('an app that a person disconnects has nothing of them any more, and must ask again', async () => {
  const tokens = await chat.connect(ana)
  const others = [await mail.connect(ana), await chat.connect(bia)]
  const begun = await chat.begin()
  const { callback } = await chat.visit(ana, begun)
  assert.equal(await connectedApps.revoke(ids.ana, 'chat'), true)

  assert.equal(await isAlive(tokens), false)
  assert.equal(await readRefusal(chat.refresh(tokens.refresh_token)), 'invalid_grant')
  assert.equal(await readRefusal(chat.redeem(begun, callback)), 'invalid_grant')
  assert.deepEqual(
    (await connectedApps.list(ids.ana)).map(({ clientId }) => clientId),
    ['mail'],
  )
  const none = await chat.visit(ana, await chat.begin({ prompt: 'none' }))
  assert.equal(readCallback(none)['error'], 'consent_required')
  const { trail } = await chat.visit(ana, await chat.begin())
  assert.ok(
    trail.some((hop) => hop.startsWith('POST')),
    'the consent is asked again',
  )
  for (const other of others) assert.ok(await isAlive(other), 'other apps and people lose nothing')
})

test('what was asked before an app was disconnected is not completed after it', async () => {
  const begun = await chat.begin()
  const { callback } = await chat.visit(ana, begun)
  await chat.redeem(begun, callback)
  const page = await chat.begin({ prompt: 'consent' })
  const first = await ana.fetch(page.url)
  const place = first.headers.get('location') ?? ''
  const body = new URLSearchParams({ decision: 'allow' })
  const allowed = await (await ana.fetch(place, { method: 'POST', body })).text()
  await connectedApps.revoke(ids.ana, 'chat')
  const [, resume = ''] = /url=([^"]+)"/.exec(allowed) ?? []
  const resumed = await ana.fetch(resume)
  assert.match(resumed.headers.get('location') ?? '', /^\/interaction\//)
})

test('who has no app connected, or has none by that name, is told so', async () => {
  assert.deepEqual(await connectedApps.list('per_nobody'), [])
  assert.equal(await connectedApps.revoke(ids.ana, 'unknown'), false)
  assert.equal(await connectedApps.revoke('per_nobody', 'chat'), false)
})

test('all of them end at once, and only for that person', async () => {
  const own = [await chat.connect(ana), await mail.connect(ana)]
  const other = await chat.connect(bia)
  await connectedApps.revokeAll(ids.ana)
  for (const tokens of own) {
    assert.equal(await isAlive(tokens), false)
    assert.equal(await readRefusal(chat.refresh(tokens.refresh_token)), 'invalid_grant')
  }
  assert.deepEqual(await connectedApps.list(ids.ana), [])
  assert.ok(await isAlive(other))
  assert.equal((await connectedApps.list(ids.bia)).length, 1)
})

test('a consent ends after 400 days, and with it the app is not listed', async (t) => {
  const dayMs = 86_400_000
  const { refresh_token: token } = await chat.connect(ana)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 401 * dayMs })
  service.clock.advance(401 * dayMs)
  assert.equal(await readRefusal(chat.refresh(token)), 'invalid_grant')
  assert.deepEqual(await connectedApps.list(ids.ana), [])
})
