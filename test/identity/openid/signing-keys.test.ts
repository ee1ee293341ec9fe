import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import * as client from 'openid-client'
import { WrongSecret } from '#identity/index.ts'
import {
  createRelyingParty,
  discover,
  type Begun,
  type RelyingParty,
} from '../../support/identity/relying-party.ts'
import { createVisitor, type Visitor } from '../../support/identity/visitor.ts'
import { startPostgres } from '../../support/postgres/index.ts'
import { serveFor, startService, type Service } from '../../support/service.ts'
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts'

const HOUR_MS = 3_600_000
const OPTIONS = { identity: true, trustedProxies: ['127.0.0.1'] } as const

async function listKids({ origin }: Service): Promise<string[]> {
  const response = await fetch(`${origin}/api/oidc/jwks`)
  const { keys } = (await response.json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}

function readKid(token: string | undefined): string {
  const head = Buffer.from(token?.split('.')[0] ?? '', 'base64url').toString()
  return (JSON.parse(head) as { kid: string }).kid
}

async function createSignedIn(service: Service): Promise<Visitor> {
  const visitor = createVisitor(service)
  await visitor.signUp('ana@example.com')
  await visitor.signIn('ana@example.com')
  return visitor
}

async function refreshKeys({ app }: Service): Promise<void> {
  const { openId } = await app.identity.load()
  await openId.refreshKeys()
}

/** Which key signs now; the token passes a client that checks its signature. */
async function findSigning(app: RelyingParty, visitor: Visitor): Promise<string> {
  client.enableNonRepudiationChecks(app.config)
  return readKid((await app.connect(visitor, { scope: 'openid' })).id_token)
}

test('keys change without anybody noticing: shown first, then signing, then kept, then gone', async (t) => {
  const service = await serveFor(t, OPTIONS)
  const { signingKeys } = service.app.identity
  const [app, ana] = [await createRelyingParty(service), await createSignedIn(service)]
  const [old = ''] = await listKids(service)
  const { id_token: early = '' } = await app.connect(ana)

  const next = await signingKeys.rotate(HOUR_MS)
  assert.equal(next.state, 'next')
  await refreshKeys(service)
  assert.deepEqual(await listKids(service), [old, next.kid])
  assert.equal(await findSigning(app, ana), old)
  service.clock.advance(HOUR_MS - 1)
  assert.equal(await findSigning(app, ana), old)
  // From its moment on, whenever the keys are next looked at.
  service.clock.advance(1)
  assert.equal(await findSigning(app, ana), next.kid)
  assert.deepEqual(await listKids(service), [next.kid, old])
  const none = await app.visit(ana, await app.begin({ id_token_hint: early, prompt: 'none' }))
  assert.ok(none.callback?.searchParams.get('code'), 'what the last key signed still verifies')

  await signingKeys.dropPast()
  assert.equal((await signingKeys.list()).length, 2)
  service.clock.advance(24 * HOUR_MS)
  await signingKeys.dropPast()
  await refreshKeys(service)
  assert.deepEqual(await listKids(service), [next.kid])
  assert.equal(await findSigning(app, ana), next.kid)
})

test('a key that others have is out of use at once', async (t) => {
  const service = await serveFor(t, OPTIONS)
  const { signingKeys } = service.app.identity
  const [app, ana] = [await createRelyingParty(service), await createSignedIn(service)]
  const [stolen = ''] = await listKids(service)
  const { id_token: hint = '' } = await app.connect(ana)
  assert.equal(await signingKeys.drop(stolen), 'signing')
  const { kid, state } = await signingKeys.rotate(0)
  assert.equal(state, 'signing')
  assert.equal(await signingKeys.drop(stolen), 'dropped')
  assert.equal(await signingKeys.drop(stolen), 'unknown')
  await refreshKeys(service)
  assert.deepEqual(await listKids(service), [kid])
  assert.equal(await findSigning(app, ana), kid)
  const { callback } = await app.visit(ana, await app.begin({ id_token_hint: hint }))
  assert.equal(callback?.searchParams.get('error'), 'invalid_request')
})

test('a next key can be taken back, and several follow each other', async (t) => {
  const service = await serveFor(t, OPTIONS)
  const { signingKeys } = service.app.identity
  const [app, ana] = [await createRelyingParty(service), await createSignedIn(service)]
  const first = await signingKeys.rotate(HOUR_MS)
  const second = await signingKeys.rotate(2 * HOUR_MS)
  const third = await signingKeys.rotate(3 * HOUR_MS)
  assert.equal(await signingKeys.drop(second.kid), 'dropped')
  await refreshKeys(service)
  service.clock.advance(2 * HOUR_MS + 1)
  assert.equal(await findSigning(app, ana), first.kid)
  service.clock.advance(HOUR_MS)
  assert.equal(await findSigning(app, ana), third.kid)
  const states = (await signingKeys.list()).map(({ state }) => state)
  assert.deepEqual(states, ['signing', 'past', 'past'])
})

test('private keys are sealed in the store, and another secret is refused at the start', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  const first = await startService({ ...OPTIONS, dataDir })
  await first.app.identity.load()
  const { rows } = await sql<{ sealed_jwk: string }>`select sealed_jwk from signing_key`.execute(
    first.store.db,
  )
  assert.equal(rows.length, 1)
  for (const { sealed_jwk: sealed } of rows) {
    const text = sealed + Buffer.from(sealed, 'base64url').toString('latin1')
    assert.ok(!text.includes('"kty"') && !text.includes('"d"'))
  }
  const kids = await listKids(first)
  await first.close()
  const secret = 'another-secret-which-is-long-enough-too'
  await assert.rejects(startService({ ...OPTIONS, dataDir, secret }), (error: Error) => {
    assert.ok(error instanceof WrongSecret)
    assert.ok(!error.message.includes(secret))
    return true
  })
  const again = await startService({ ...OPTIONS, dataDir })
  t.after(() => again.close())
  assert.deepEqual(await listKids(again), kids)
})

const postgres = await startPostgres()
after(() => postgres.close())

test('replicas that start at once make one key, and take up each other’s', async (t) => {
  const databaseUrl = await postgres.createDatabase()
  const one = await serveFor(t, { ...OPTIONS, databaseUrl })
  const join = () => startService({ databaseUrl, issuer: one.origin, clock: one.clock })
  const others = await Promise.all([join(), join(), join()])
  for (const other of others) t.after(() => other.close())
  const replicas = [one, ...others]
  await Promise.all(replicas.map(({ app }) => app.identity.load()))
  const sets = await Promise.all(replicas.map(listKids))
  for (const kids of sets) assert.deepEqual(kids, sets[0])
  assert.equal(sets[0]?.length, 1)

  const { kid } = await one.app.identity.signingKeys.rotate(HOUR_MS)
  for (const replica of replicas) await refreshKeys(replica)
  one.clock.advance(HOUR_MS)
  for (const kids of await Promise.all(replicas.map(listKids))) assert.equal(kids[0], kid)
  await assertOthersSign(one, others[0] ?? one, kid)
})

/** A code of one replica, given up by another: the token is signed with the key of both. */
async function assertOthersSign(one: Service, other: Service, kid: string): Promise<void> {
  const [app, ana] = [await createRelyingParty(one), await createSignedIn(one)]
  const begun: Begun = await app.begin()
  const { callback } = await app.visit(ana, begun)
  assert.ok(callback)
  const config = await discover(one.origin, 'chat', undefined, (url, options) =>
    fetch(url.replace(one.origin, other.origin), options as RequestInit),
  )
  client.enableNonRepudiationChecks(config)
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    ...(begun.nonce !== undefined && { expectedNonce: begun.nonce }),
  })
  assert.equal(readKid(tokens.id_token), kid)
}
