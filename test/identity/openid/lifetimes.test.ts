import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import { createPersons } from '#accounts/index.ts'
import { sweepArtifacts } from '../../../src/identity/openid/sweep-artifacts.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import { createRelyingParty, readRefusal } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const db = withTables<IdentityTables>(service.store.db)
const app = await createRelyingParty(service)
const ana = createVisitor(service)
const DAY_S = 86_400

before(async () => {
  await ana.signUp('ana@example.com', 'Ana')
  await ana.signIn('ana@example.com')
  await app.connect(ana)
})

/** Later for the libraries, which take the time from the system. */
function wait(t: TestContext, seconds: number): void {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1_000 })
}

test('a code is good for a minute', async (t) => {
  const begun = await app.begin()
  const { callback } = await app.visit(ana, begun)
  wait(t, 61)
  assert.equal(await readRefusal(app.redeem(begun, callback)), 'invalid_grant')
})

test('a refresh token is good for thirty days, and its chain for longer', async (t) => {
  const first = await app.connect(ana)
  const second = await app.connect(ana)
  wait(t, 29 * DAY_S)
  const third = await app.refresh(first.refresh_token)
  t.mock.timers.setTime(Date.now() + 2 * DAY_S * 1_000)
  assert.equal(await readRefusal(app.refresh(second.refresh_token)), 'invalid_grant')
  assert.ok((await app.refresh(third.refresh_token)).access_token)
})

test('who is asked something has a quarter of an hour to answer', async (t) => {
  const { url } = await app.begin({ prompt: 'consent' })
  const page = (await ana.fetch(url)).headers.get('location') ?? ''
  assert.equal((await ana.fetch(page)).status, 200)
  wait(t, 901)
  assert.equal((await ana.fetch(page)).status, 410)
})

test('what has expired is deleted, and nothing before', async () => {
  const nowMs = service.clock.nowMs()
  const row = { model: 'Interaction', payload: '{}', created_at: nowMs }
  const expired = Array.from({ length: 1_201 }, (_, index) => ({
    ...row,
    id: `expired-${index}`,
    expires_at: nowMs,
  }))
  for (let at = 0; at < expired.length; at += 100) {
    await db
      .insertInto('oidc_artifact')
      .values(expired.slice(at, at + 100))
      .execute()
  }
  await db
    .insertInto('oidc_artifact')
    .values({ ...row, id: 'kept', expires_at: nowMs + 1 })
    .execute()
  await sweepArtifacts(db, nowMs)
  const left = await db
    .selectFrom('oidc_artifact')
    .select(['id', 'expires_at'])
    .where('model', '=', 'Interaction')
    .execute()
  assert.ok(left.some(({ id }) => id === 'kept'))
  assert.ok(left.every(({ expires_at: atMs }) => atMs !== null && atMs > nowMs))
  const tokens = await app.connect(ana)
  await sweepArtifacts(db, service.clock.nowMs())
  assert.ok((await app.refresh(tokens.refresh_token)).access_token)
})

test('a person who was removed is told of to nobody', async () => {
  const bia = createVisitor(service)
  await bia.signUp('bia@example.com', 'Bia')
  await bia.signIn('bia@example.com')
  const tokens = await app.connect(bia)
  const { sub = '' } = tokens.claims() ?? {}
  const onChange = { account: () => {}, key: () => {} }
  const { store, clock, app: rooms } = service
  const persons = createPersons({ store, clock, ledger: rooms.ledger, onChange })
  await persons.remove(sub, 'operator')
  assert.equal((await askUserInfo(service, tokens.access_token)).status, 401)
  assert.equal(await readRefusal(app.refresh(tokens.refresh_token)), 'invalid_grant')
  const { callback } = await app.visit(bia, await app.begin({ prompt: 'none' }))
  assert.equal(callback?.searchParams.get('error'), 'login_required')
})
