import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { parseEuros, type NanoEuro } from '#platform/money.ts'
import { readFigures, type Engine } from '#platform/store/index.ts'
import { TABLES } from '../../src/tables.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, operate } from '../support/call.ts'
import { ENGINES } from '../support/each-engine.ts'
import { askUserInfo } from '../support/identity/ask-userinfo.ts'
import { post, whoIs } from '../support/identity/people.ts'
import { runCodeFlow } from '../support/identity/run-code-flow.ts'
import { readCode } from '../support/identity/totp.ts'
import { createVisitor, PASSWORD } from '../support/identity/visitor.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { startPostgres, type Postgres } from '../support/postgres/index.ts'
import { readAll } from '../support/read-all.ts'
import { serveFor, type Service, type ServiceOptions } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { loadPostgres, loadSqlite, readReleasedStore } from './released-store.ts'

/** What the last release left in a store that was used: by `npm run release:store`, never by hand. */
const released = readReleasedStore()
const { keys, people, app } = released

let starting: Promise<Postgres> | undefined
after(async () => {
  await (await starting)?.close()
})

for (const engine of ENGINES) {
  test(`a service starts on the store of ${released.version}, and all is there (${engine})`, async (t) => {
    const service = await serveReleased(t, engine)
    // What was told then is told now, to the last digit; what is told besides is new.
    assert.partialDeepStrictEqual(await readAll(service), released.read)
    assert.deepEqual(new Set(await readOldFigures(service)), new Set(released.figures))
    await assertPeople(service)
    await assertCharged(service)
    const { json: books } = await operate(service, 'GET', '/ledger/verify')
    assert.deepEqual([books.ok, books.discrepancies], [true, []])
  })
}

/** Today's service on the store, a minute after it was left. */
async function serveReleased(t: TestContext, engine: Engine): Promise<Service> {
  const service = await serveFor(t, {
    ...(await load(t, engine)),
    clock: createManualClock(released.endedAtMs + 60_000),
    identity: true,
    trustedProxies: ['127.0.0.1'],
  })
  // The replica that it was dumped from is dead, and its hold ends as that of any dead one does.
  if (engine === 'postgres') await untilNothingIsHeld(service)
  return service
}

async function load(t: TestContext, engine: Engine): Promise<ServiceOptions> {
  const dataDir = makeTemporaryDirectory(t)
  if (engine === 'sqlite') {
    loadSqlite(dataDir)
    return { dataDir, embedded: true }
  }
  starting ??= startPostgres()
  const databaseUrl = await (await starting).createDatabase()
  await loadPostgres(databaseUrl)
  return { dataDir, databaseUrl }
}

async function untilNothingIsHeld({ store }: Service): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from gate_hold`.execute(store.reads)
    if (rows.length === 0) return
    await delay(50)
  }
}

/** Of the tables and columns that there were then. */
async function readOldFigures({ store }: Service) {
  const old = new Set(released.figures.map(({ table, name }) => `${table} ${name}`))
  return (await readFigures(store.reads, TABLES))
    .filter(({ table, name }) => old.has(`${table} ${name}`))
    .map(({ table, name, value }) => ({ table, name, value: value.toString() }))
}

/** They sign in as they did, with a code where they had one, and the app still has Ana's consent. */
async function assertPeople(service: Service): Promise<void> {
  const ana = createVisitor(service)
  await ana.signIn(people.ana)
  assert.equal(await whoIs(ana), people.ana)
  const { visit, body } = await runCodeFlow(service, ana, app, { decision: 'deny' })
  assert.ok(visit.callback?.searchParams.has('code'), visit.trail.join())
  assert.equal((await askUserInfo(service, body.access_token)).claims['email'], people.ana)
  const bruno = createVisitor(service)
  const half = await post(bruno, '/sign-in/email', { email: people.bruno, password: PASSWORD })
  assert.equal((half.body as { twoFactorRedirect?: boolean }).twoFactorRedirect, true)
  const code = readCode(people.totpUri, Date.now())
  assert.equal((await post(bruno, '/two-factor/verify-totp', { code })).status, 200)
  assert.equal(await whoIs(bruno), people.bruno)
}

async function assertCharged(service: Service): Promise<void> {
  const before = await readBalance(service)
  assertRefused(await chat(service, keys.revoked, 'air', hello), 'invalid_api_key')
  const answer = await chat(service, keys.paying, 'prime', hello)
  assert.equal(answer.status, 200, answer.text)
  const { prompt_tokens: input, completion_tokens: output } = answer.json.usage
  const cost = input * 1_800 + output * 6_200
  assert.equal(await readBalance(service), before - cost)
}

async function readBalance(service: Service): Promise<NanoEuro> {
  const { json } = await operate(service, 'GET', `/accounts/${keys.accountId}`)
  const balance = parseEuros(json.balance_eur)
  assert.ok(balance !== undefined)
  return balance
}
