import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { refreshTokenGrant, type Configuration } from 'openid-client'
import { withTables } from '#platform/store/index.ts'
import { sweepArtifacts } from '../../../src/identity/openid/sweep-artifacts.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import {
  createRelyingParty,
  discover,
  readRefusal,
  type RelyingParty,
  type Tokens,
} from '../../support/identity/relying-party.ts'
import { createVisitor, type Visitor } from '../../support/identity/visitor.ts'
import { startPostgres } from '../../support/postgres/index.ts'
import { serveFor, startService, type Scope, type Service } from '../../support/service.ts'

const GRACE_MS = 10_000

interface World {
  readonly service: Service
  /** On PostgreSQL, another one with the same database, secret and issuer. */
  readonly replica: Service | undefined
  readonly app: RelyingParty
  readonly backend: RelyingParty
  readonly visitor: Visitor
}

async function startWorld(scope: Scope, databaseUrl: string | undefined): Promise<World> {
  const store = databaseUrl === undefined ? { embedded: true as const } : { databaseUrl }
  const service = await serveFor(scope, { identity: true, trustedProxies: ['127.0.0.1'], ...store })
  const replica =
    databaseUrl === undefined
      ? undefined
      : await startService({ databaseUrl, issuer: service.origin, clock: service.clock })
  if (replica) scope.after(() => replica.close())
  const visitor = createVisitor(service)
  await visitor.signUp('ana@example.com', 'Ana')
  await visitor.signIn('ana@example.com')
  const app = await createRelyingParty(service)
  const backend = await createRelyingParty(service, { clientId: 'backend', kind: 'confidential' })
  return { service, replica, app, backend, visitor }
}

const postgres = await startPostgres()
after(() => postgres.close())
const worlds = {
  sqlite: await startWorld({ after }, undefined),
  postgres: await startWorld({ after }, await postgres.createDatabase()),
}

function testInEachWorld(name: string, run: (world: World) => Promise<void>): void {
  for (const [engine, world] of Object.entries(worlds)) {
    test(`${name} (${engine})`, () => run(world))
  }
}

async function isAlive({ service }: World, { access_token: token }: Tokens): Promise<boolean> {
  return (await askUserInfo(service, token)).status === 200
}

testInEachWorld('a refresh token is good for one use, and gives the next', async (world) => {
  for (const app of [world.app, world.backend]) {
    let tokens = await app.connect(world.visitor)
    const seen = new Set([tokens.refresh_token, tokens.access_token])
    for (let turn = 0; turn < 25; turn += 1) {
      tokens = await app.refresh(tokens.refresh_token)
      seen.add(tokens.refresh_token).add(tokens.access_token)
      world.service.clock.advance(GRACE_MS)
    }
    assert.equal(seen.size, 2 + 2 * 25)
    assert.ok(await isAlive(world, tokens))
    assert.equal(tokens.scope, 'openid profile email plano offline_access')
    assert.ok(tokens.claims()?.sub)
  }
})

testInEachWorld(
  'two tabs that refresh at once end nothing: the second is refused',
  async (world) => {
    const { app, service } = world
    const first = await app.connect(world.visitor)
    const second = await app.refresh(first.refresh_token)
    service.clock.advance(GRACE_MS - 1)
    assert.equal(await readRefusal(app.refresh(first.refresh_token)), 'invalid_grant')
    assert.ok(await isAlive(world, second))
    const third = await app.refresh(second.refresh_token)
    assert.ok(await isAlive(world, third))
  },
)

testInEachWorld(
  'a refresh token that comes again ends all that hangs on its consent',
  async (world) => {
    const { app, service } = world
    const first = await app.connect(world.visitor)
    const second = await app.refresh(first.refresh_token)
    const third = await app.refresh(second.refresh_token)
    service.clock.advance(GRACE_MS)
    assert.equal(await readRefusal(app.refresh(first.refresh_token)), 'invalid_grant')
    for (const tokens of [first, second, third]) assert.equal(await isAlive(world, tokens), false)
    assert.equal(await readRefusal(app.refresh(third.refresh_token)), 'invalid_grant')
  },
)

testInEachWorld('a used refresh token is remembered until it would have expired', async (world) => {
  const { app, service } = world
  const first = await app.connect(world.visitor)
  const second = await app.refresh(first.refresh_token)
  await sweepArtifacts(
    withTables<IdentityTables>(service.store.db),
    service.clock.nowMs() + 29 * 86_400_000,
  )
  service.clock.advance(GRACE_MS)
  assert.equal(await readRefusal(app.refresh(first.refresh_token)), 'invalid_grant')
  assert.equal(await readRefusal(app.refresh(second.refresh_token)), 'invalid_grant')
})

for (const count of [6, 20]) {
  testInEachWorld(`of ${count} uses at once one wins, and its chain lives on`, async (world) => {
    const { app, service, replica } = world
    const configs = [app.config]
    if (replica) configs.push(await discoverReplica(service, replica))
    const { refresh_token: token = '' } = await app.connect(world.visitor)
    const results = await Promise.allSettled(
      Array.from({ length: count }, async (_, turn) => {
        const config = configs[turn % configs.length] ?? app.config
        return refreshTokenGrant(config, token)
      }),
    )
    const won = results.filter((result) => result.status === 'fulfilled')
    assert.equal(won.length, 1)
    const [winner] = won
    assert.ok(winner)
    assert.ok(await isAlive(world, winner.value))
    const next = await app.refresh(winner.value.refresh_token)
    assert.ok(await isAlive(world, next))
  })
}

/** The issuer's addresses, but asked of the replica. */
function discoverReplica(service: Service, replica: Service): Promise<Configuration> {
  return discover(service.origin, 'chat', undefined, (url, options) =>
    fetch(url.replace(service.origin, replica.origin), options as RequestInit),
  )
}

testInEachWorld(
  'a code is good for one use: another ends the tokens of the first',
  async (world) => {
    const { app, visitor } = world
    const begun = await app.begin()
    const { callback } = await app.visit(visitor, begun)
    const tokens = await app.redeem(begun, callback)
    assert.ok(await isAlive(world, tokens))
    assert.equal(await readRefusal(app.redeem(begun, callback)), 'invalid_grant')
    assert.equal(await isAlive(world, tokens), false)
    assert.equal(await readRefusal(app.refresh(tokens.refresh_token)), 'invalid_grant')
  },
)

testInEachWorld('of many uses of a code at once one wins', async ({ app, visitor }) => {
  for (let turn = 0; turn < 5; turn += 1) {
    const begun = await app.begin()
    const { callback } = await app.visit(visitor, begun)
    const uses = Array.from({ length: 8 }, () => app.redeem(begun, callback))
    const results = await Promise.allSettled(uses)
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  }
})

testInEachWorld('a refresh may ask for less, and never for more', async ({ app, visitor }) => {
  const { refresh_token: token = '' } = await app.connect(visitor, {
    scope: 'openid email offline_access',
  })
  const wider = refreshTokenGrant(app.config, token, { scope: 'openid plano' })
  assert.equal(await readRefusal(wider), 'invalid_scope')
  const narrower = await refreshTokenGrant(app.config, token, { scope: 'openid' })
  assert.equal(narrower.scope, 'openid')
})

testInEachWorld('a refresh token of one app is nothing to another', async (world) => {
  const { refresh_token: token } = await world.app.connect(world.visitor)
  assert.equal(await readRefusal(world.backend.refresh(token)), 'invalid_grant')
  assert.ok((await world.app.refresh(token)).access_token)
})

testInEachWorld('who is not verified any more, or is gone, is told of to no app', async (world) => {
  const { app, service } = world
  const bia = createVisitor(service)
  await bia.signUp('bia@example.com', 'Bia')
  await bia.signIn('bia@example.com')
  const tokens = await app.connect(bia)
  const { sub } = tokens.claims() ?? {}
  const set = (verified: number) =>
    sql`update person set email_verified = ${verified} where id = ${sub}`.execute(service.store.db)
  await set(0)
  assert.equal(await isAlive(world, tokens), false)
  assert.equal(await readRefusal(app.refresh(tokens.refresh_token)), 'invalid_grant')
  const { callback } = await app.visit(bia, await app.begin())
  assert.equal(callback?.searchParams.get('error'), 'access_denied')
  await set(1)
  const again = await app.refresh(tokens.refresh_token)
  await sql`delete from session where user_id = ${sub}`.execute(service.store.db)
  await service.app.identity.connectedApps.revokeAll(String(sub))
  assert.equal(await isAlive(world, again), false)
  assert.equal(await readRefusal(app.refresh(again.refresh_token)), 'invalid_grant')
})
