import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, operate } from '../../support/call.ts'
import { runCodeFlow } from '../../support/identity/run-code-flow.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { startPostgres } from '../../support/postgres/index.ts'
import { serveFor, type Service } from '../../support/service.ts'

const postgres = await startPostgres()
// Hooks run in order: the database goes last.
const closing: (() => void | Promise<void>)[] = []
after(async () => {
  for (const close of closing.toReversed()) await close()
  await postgres.close()
})
const scope = { after: (close: () => void | Promise<void>) => void closing.push(close) }
const databaseUrl = await postgres.createDatabase()
const one = await serveFor(scope, { identity: true, databaseUrl })
const other = await serveFor(scope, { identity: true, databaseUrl, clock: one.clock })

const visitor = createVisitor(one)
await visitor.signUp('ana@example.com')
await visitor.signIn('ana@example.com')
const { json: found } = await operate(one, 'GET', '/people?email=ana@example.com')
const person = `/people/${found.data[0].id}`

/** What a browser that is signed in at one would send to any replica. */
function askAsAna(service: Service) {
  const cookies = [...visitor.cookies.values()].map(({ name, value }) => `${name}=${value}`)
  return call(service, 'GET', '/operator/v1/models', { headers: { cookie: cookies.join('; ') } })
}

test('who is promoted or demoted at one replica is so at the other, by the very next request', async () => {
  assertRefused(await askAsAna(other), 'not_an_operator')
  await operate(one, 'PATCH', person, { role: 'operator' })
  assert.equal((await askAsAna(other)).status, 200)
  await operate(one, 'PATCH', person, { role: 'customer' })
  assertRefused(await askAsAna(other), 'not_an_operator')
})

test('an app that is registered, changed or deleted at one replica is so at the other', async () => {
  const redirectUri = 'https://app.example.com/callback'
  const body = { name: 'An app', kind: 'confidential', redirect_uris: [redirectUri] }
  const { json: client } = await operate(other, 'POST', '/clients', body)
  const { client_id: clientId, client_secret: secret } = client
  const app = { clientId, secret, redirectUri }
  assert.equal((await runCodeFlow(one, visitor, app)).status, 200)
  const { json: rotated } = await operate(other, 'POST', `/clients/${clientId}/secret`)
  assert.equal((await runCodeFlow(one, visitor, app)).status, 401)
  const renewed = { ...app, secret: rotated.client_secret }
  assert.equal((await runCodeFlow(one, visitor, renewed)).status, 200)
  await operate(other, 'DELETE', `/clients/${clientId}`)
  assert.equal((await runCodeFlow(one, visitor, renewed)).visit.last.status, 400)
})

test('a signing key that is made at one replica is taken up by the other when it looks', async () => {
  const publishedBy = async ({ origin }: Service): Promise<string[]> => {
    const { keys } = (await (await fetch(`${origin}/api/oidc/jwks`)).json()) as {
      keys: { kid: string }[]
    }
    return keys.map(({ kid }) => kid)
  }
  await publishedBy(other)
  const { json: key } = await operate(one, 'POST', '/signing-keys', {})
  assert.ok((await publishedBy(one)).includes(key.kid))
  assert.ok(!(await publishedBy(other)).includes(key.kid))
  // As it does by itself every half minute.
  await (await other.app.identity.load()).openId.refreshKeys()
  assert.ok((await publishedBy(other)).includes(key.kid))
})
