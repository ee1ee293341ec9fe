import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRelyingParty } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { startPostgres } from '../../support/postgres/index.ts'
import { serveFor } from '../../support/service.ts'

const postgres = await startPostgres()
after(() => postgres.close())
const databaseUrl = await postgres.createDatabase()
const service = await serveFor(
  { after },
  { identity: true, databaseUrl, trustedProxies: ['127.0.0.1'] },
)
const app = await createRelyingParty(service)

test('without its store the provider says that it cannot be reached, and what it is serves on', async () => {
  const ana = createVisitor(service)
  await ana.signUp('ana@example.com', 'Ana')
  await ana.signIn('ana@example.com')
  const tokens = await app.connect(ana)
  const { url } = await app.begin()
  await postgres.stop('killed')
  const authorization = `Bearer ${tokens.access_token}`
  const told = await fetch(`${service.origin}/api/oidc/userinfo`, { headers: { authorization } })
  assert.deepEqual([told.status, JSON.parse(await told.text())['error']], [503, 'server_error'])
  const refresh = { grant_type: 'refresh_token', client_id: 'chat', refresh_token: 'x' }
  const body = new URLSearchParams(refresh)
  const refused = await fetch(`${service.origin}/api/oidc/token`, { method: 'POST', body })
  assert.deepEqual(
    [refused.status, JSON.parse(await refused.text())['error']],
    [503, 'server_error'],
  )
  for (const visitor of [ana, createVisitor(service)]) {
    const page = await visitor.fetch(url)
    assert.ok([500, 503].includes(page.status), String(page.status))
    assert.ok(!(await page.text()).includes('127.0.0.1'))
  }
  const known = await fetch(`${service.origin}/api/oidc/jwks`)
  assert.equal(known.status, 200)
  await known.text()

  await postgres.start()
  assert.equal((await app.connect(ana)).claims()?.sub, tokens.claims()?.sub)
})
