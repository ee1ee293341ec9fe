import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import * as client from 'openid-client'
import { operate } from '../../support/call.ts'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import { createRelyingParty } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const app = await createRelyingParty(service)
const ana = createVisitor(service)
await ana.signUp('ana@example.com', 'Ana')
await ana.signIn('ana@example.com')

/** The contract's table. */
const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  profile: ['name'],
  email: ['email', 'email_verified'],
  plano: ['plano', 'plano_pago'],
  offline_access: [],
}

function listSubsets(words: readonly string[]): string[][] {
  const [first, ...rest] = words
  if (first === undefined) return [[]]
  return listSubsets(rest).flatMap((subset) => [subset, [first, ...subset]])
}

for (const scopes of listSubsets(Object.keys(CLAIMS))) {
  const scope = ['openid', ...scopes].join(' ')
  test(`an app that asks for "${scope}" learns what that gives, and no more`, async () => {
    const tokens = await app.connect(ana, { scope })
    const { claims } = await askUserInfo(service, tokens.access_token)
    const expected = ['sub', ...scopes.flatMap((one) => CLAIMS[one] ?? [])]
    assert.deepEqual(Object.keys(claims).toSorted(), expected.toSorted())
    assert.equal(claims['sub'], tokens.claims()?.sub)
    assert.equal(tokens.refresh_token !== undefined, scopes.includes('offline_access'))
    assert.equal(
      tokens.scope?.split(' ').toSorted().join(' '),
      scope.split(' ').toSorted().join(' '),
    )
  })
}

for (const scopes of listSubsets(Object.keys(CLAIMS)).filter((one) => one.length > 0)) {
  const scope = scopes.join(' ')
  test(`an app that asks for "${scope}" alone may not ask who it is`, async () => {
    const tokens = await app.connect(ana, { scope })
    const { status, claims, challenge } = await askUserInfo(service, tokens.access_token)
    assert.deepEqual([status, claims['error']], [403, 'insufficient_scope'])
    assert.match(challenge ?? '', /^Bearer .*error="insufficient_scope".*resource_metadata="/)
    assert.deepEqual([tokens.id_token, tokens.scope], [undefined, scope])
  })
}

test('a scope that nobody knows is passed over, and none that is known is refused', async () => {
  const tokens = await app.connect(ana, { scope: 'openid admin email' })
  assert.equal(tokens.scope, 'openid email')
  const begun = await app.begin({ scope: 'admin' })
  const { callback } = await app.visit(ana, begun)
  assert.equal(callback?.searchParams.get('error'), 'invalid_scope')
})

test('a plan that changes is told at the next call, with the same token', async () => {
  const tokens = await app.connect(ana, { scope: 'openid plano' })
  const ask = async () => (await askUserInfo(service, tokens.access_token)).claims
  assert.deepEqual(await ask(), { sub: tokens.claims()?.sub, plano: 'FREE', plano_pago: false })
  const { json: accounts } = await operate(service, 'GET', '/accounts?email=ana@example.com')
  for (const plan of ['LITE', 'PRO', 'ELITE', 'FREE'] as const) {
    const changed = await operate(service, 'PATCH', `/accounts/${accounts.data[0].id}`, { plan })
    assert.equal(changed.status, 200)
    const { plano, plano_pago } = await ask()
    assert.deepEqual([plano, plano_pago], [plan, plan !== 'FREE'])
  }
})

test('what a person has not told is left out: never null, never empty', async () => {
  const bia = createVisitor(service)
  await bia.signUp('bia@example.com', 'Bia')
  await bia.signIn('bia@example.com')
  const tokens = await app.connect(bia, { scope: 'openid profile' })
  const { sub = '' } = tokens.claims() ?? {}
  const ask = () => client.fetchUserInfo(app.config, tokens.access_token, sub)
  assert.deepEqual(await ask(), { sub, name: 'Bia' })
  const picture = 'https://pictures.example.com/bia.png'
  assert.equal((await bia.post('/api/auth/update-user', { image: picture })).status, 200)
  assert.deepEqual(await ask(), { sub, name: 'Bia', picture })
  await sql`update person set name = null, picture = null where id = ${sub}`.execute(
    service.store.db,
  )
  assert.deepEqual(await ask(), { sub })
})
