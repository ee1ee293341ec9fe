import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { createContract, type Operation } from '#api/contract/index.ts'
import type { JsonSchema } from '#platform/schema/index.ts'
import { call, chat, hello, openAccount, operate, type Answer } from '../support/call.ts'
import { openInvitation } from '../support/members.ts'
import { lastToken } from '../support/identity/people.ts'
import { signInSomebody, writeCredentials, writeSession } from '../support/identity/credentials.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { openOwnPlaces, openPlaces, type Places } from '../support/fill-path.ts'
import { createRandom } from '../support/random.ts'
import { createVisitor } from '../support/identity/visitor.ts'
import { describeUpstream, serveFor, type Service } from '../support/service.ts'
import { mendHistory } from './mend-history.ts'
import { anyText, anything, makeArbitrary, writeJson } from './make-arbitrary.ts'

/** Requests tried of each operation: CI tries 1 000, a release 10 000. See also PARLEY_TEST_SEED. */
const runs = Number(process.env['PARLEY_FUZZ_RUNS'] ?? 150)
/** Of one that takes no input: each would be the same request again. */
const RUNS_WITHOUT_INPUT = 150
const { seed } = createRandom()
/** A slow machine needs a few milliseconds for each. */
const TIMEOUT = { timeout: 60_000 + 100 * runs }

const operations: readonly Operation[] = createContract('svc').operations

const upstream = await startFakeUpstream()
upstream.play({ content: 'ok', usage: { promptTokens: 3, completionTokens: 2 } })
after(() => upstream.close())

/** Two brands answer through a real connection; `nova` is simulated, and calls tools. */
const options = {
  identity: true,
  trustedProxies: ['127.0.0.1'],
  upstreams: [describeUpstream(upstream)],
  brands: { nova: { upstreams: [] } },
} as const

interface Attempt {
  readonly path: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string])[]
  /** As it is sent; undefined where none is. */
  readonly body: string | undefined
  /** Whether the document takes it whole. */
  readonly isGood: boolean
}

interface Sent {
  readonly text: string | undefined
  readonly isGood: boolean
}

/** What chance does not find: a password, a second factor, an app that somebody signed in to, an amount that is left. */
const UNREACHED: ReadonlySet<string> = new Set([
  'removeMyself',
  'exportMyself',
  'resetTwoFactor',
  'revokeConnectedApp',
  'refundTopup',
])

interface World extends Places {
  readonly service: Service
  readonly sessionId: string
  /** Of somebody who is signed in. */
  readonly session: Readonly<Record<string, string>>
}

for (const operation of operations) {
  test(
    `${operation.id} answers whatever it is sent as documented, and never 500`,
    TIMEOUT,
    async (t) => {
      const world = await openWorld(t, operation)
      const seen = new Map<number, number>()
      const attempts = makeAttempts(operation, world)
      t.diagnostic(`seed ${seed}, ${runs} runs`)
      await fc.assert(
        fc.asyncProperty(attempts, async (attempt) => {
          const answer = await send(world, operation, attempt)
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
          assertSound(operation, attempt, answer)
        }),
        {
          numRuns: takesInput(operation) ? runs : Math.min(runs, RUNS_WITHOUT_INPUT),
          seed,
          maxSkipsPerRun: 1_000,
        },
      )
      t.diagnostic(JSON.stringify(Object.fromEntries(seen)))
      const accepted = [...seen.keys()].filter((status) => status < 300)
      if (!UNREACHED.has(operation.id)) assert.ok(accepted.length > 0, 'some were good')
      if (operation.body || operation.query) assert.ok(seen.has(400), 'some requests were bad')
      await assertWell(world)
    },
  )
}

/** A service of its own for each operation: what one switches off is not missed by another. */
async function openWorld(t: TestContext, { auth }: Operation): Promise<World> {
  const service = await serveFor({ after: (close) => t.after(close) }, options)
  const account = await openAccount(service, { min_tier: 3, depositEur: '9000' })
  const places = await openPlaces(service, account)
  if (auth !== 'session') return { service, ...places, session: {}, sessionId: '' }
  const somebody = await signInSomebody(service)
  const session = writeSession(somebody, service)
  // Another one of theirs: who ends the one that asks is a stranger from then on.
  await createVisitor(service).signIn(somebody.email)
  const { json } = await call(service, 'GET', '/console/api/sessions', { headers: session })
  const other = json.data.find(({ current }) => !current)
  const own = await openOwnPlaces(service, places, session)
  const memberId = await addOwner(service, session, own.accountId)
  return { service, ...own, memberId, session, sessionId: other?.id ?? '' }
}

/** Another owner of an account, so that whoever is changed, removed or leaves is not the last. */
async function addOwner(
  service: Service,
  session: World['session'],
  accountId: string,
): Promise<string> {
  const owner = await signInSomebody(service)
  const theirs = writeSession(owner, service)
  const body = { email: owner.email, role: 'owner' }
  const path = `/console/api/accounts/${accountId}/invitations`
  await call(service, 'POST', path, { headers: session, body })
  const token = lastToken(service, owner.email)
  await openInvitation(service, token, { method: 'POST', session: theirs })
  return (await call(service, 'GET', '/console/api/person', { headers: theirs })).json.id
}

async function send(world: World, operation: Operation, attempt: Attempt): Promise<Answer> {
  const { service, key } = world
  // Each request finds a minute of its own, so that no limit stands before what is tested.
  service.clock.advance(60_000)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    writeSegment(attempt.path[name] ?? ''),
  )
  const query = attempt.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const credentials = writeCredentials(service, key, world.session)
  return call(service, operation.method.toUpperCase(), path + (query && `?${query}`), {
    headers: credentials[operation.auth],
    ...(attempt.body !== undefined && { body: attempt.body }),
  })
}

/** A path of dots would be taken away by the client, and an empty segment is another address. */
function writeSegment(text: string): string {
  return /^\.{0,2}$/.test(text) ? '%09' : encode(text)
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function makeAttempts(operation: Operation, world: World): fc.Arbitrary<Attempt> {
  const { params, query, body } = operation
  const real: Readonly<Record<string, fc.Arbitrary<string>>> = {
    account_id: fc.constant(world.accountId),
    key_id: fc.constant(world.keyId),
    person_id: fc.constant(world.personId),
    client_id: fc.constant(world.clientId),
    kid: fc.constant(world.kid),
    topup_id: fc.constant(world.topupId),
    request_id: fc.constant(world.requestId),
    member_id: fc.constant(world.memberId),
    invitation_id: fc.constant(world.invitationId),
    session_id: fc.constant(world.sessionId),
    brand: fc.constantFrom('air', 'prime', 'nova'),
  }
  const path = Object.keys(params?.properties ?? {}).map((name) => [
    name,
    fc.oneof(
      { arbitrary: real[name] ?? anyText, weight: 15 },
      { arbitrary: fc.oneof(anyText, fc.constant('x'.repeat(101))), weight: 1 },
    ),
  ])
  const attempts = fc.record({
    path: fc.record(Object.fromEntries(path) as Record<string, fc.Arbitrary<string>>),
    query: query ? makeQuery(query) : fc.constant([]),
    sent: body ? makeBody(plain(body.schema)) : fc.constant({ text: undefined, isGood: true }),
  })
  return attempts.map(({ sent, ...attempt }) => {
    const isReal = Object.entries(attempt.path).every(([name, text]) => isKnown(name, text, world))
    const isGood = sent.isGood && isReal && attempt.query.length === 0
    return { ...attempt, body: sent.text, isGood }
  })
}

function isKnown(name: string, text: string, world: World): boolean {
  const { accountId, keyId, personId, clientId, kid, topupId, requestId } = world
  const brands = name === 'brand' ? ['air', 'prime', 'nova'] : []
  const ids = [accountId, keyId, personId, clientId, kid, topupId, requestId, ...brands]
  return [...ids, world.memberId, world.invitationId].includes(text)
}

/** Names once, twice or not at all, and names of nothing. */
function makeQuery(query: object): fc.Arbitrary<[string, string][]> {
  const { properties = {} } = plain(query)
  const pairs = Object.entries(properties).map(([name, schema]) => {
    const text = fc.oneof(
      { arbitrary: makeArbitrary(schema, 0) as fc.Arbitrary<string>, weight: 5 },
      { arbitrary: anyText, weight: 1 },
      { arbitrary: fc.constantFrom('0', '201', '-1', '1e2', ' 1', '１'), weight: 1 },
    )
    return fc.tuple(fc.constant(name), text)
  })
  const stray = fc.tuple(fc.oneof(anyText, fc.constant('__proto__')), anyText)
  return fc.array(fc.oneof(...pairs, ...pairs, stray), { maxLength: 3 })
}

/** Valid, near to valid, any JSON at all, and what is no JSON. */
function makeBody(schema: JsonSchema): fc.Arbitrary<Sent> {
  const broken = fc.constantFrom(
    undefined,
    '',
    ' ',
    '{',
    '{"a":1,}',
    'NaN',
    '\ufeff{}',
    '{}{}',
    '"',
  )
  const near = fc.tuple(makeArbitrary(schema, 4).map(writeJson), fc.nat(1_000))
  const cut = near.map(([text, at]) => text.slice(0, at)).filter((text) => !/^-?\d/.test(text))
  const twice = near.map(([text]) =>
    text.replace(/^\{(?=")/, '{"__proto__":{"stream":1},"name":1,'),
  )
  const good = makeArbitrary(schema, 0).map((body) => writeJson(mendHistory(body)))
  const bad = fc.oneof(
    { arbitrary: near.map(([text]) => text), weight: 12 },
    { arbitrary: anything.map(writeJson), weight: 2 },
    { arbitrary: fc.oneof(broken, cut, twice), weight: 2 },
  )
  return fc.oneof(
    { arbitrary: good.map((text) => ({ text, isGood: true })), weight: 1 },
    { arbitrary: bad.map((text) => ({ text, isGood: false })), weight: 1 },
  )
}

function takesInput({ params, query, body }: Operation): boolean {
  return params !== undefined || query !== undefined || body !== undefined
}

function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema))
}

/** What the document cannot say, and a good request may still be refused for. */
const BEYOND_SCHEMA =
  /^(redirect_uris\[\d\]: must |expires_at: must be in the future|amount_eur: (must be more than 0|the balance would|is more than is left)|\w+_eur: must be at most |messages: .*context window|tools\[\d\]\.function\.parameters: must be nested)/

function assertSound(operation: Operation, attempt: Attempt, { status, json, text }: Answer): void {
  assert.ok(status < 500, `${status} ${text}`)
  if (status < 400) return
  const { code, message } = json.error
  assert.match(message, /\S/)
  const isRule = code !== 'invalid_request' || BEYOND_SCHEMA.test(message)
  assert.ok(isRule || !attempt.isGood, `the document takes what is refused: ${message}`)
  if (code === 'invalid_request') assertNamed(operation, attempt, message)
}

function assertNamed(operation: Operation, { body }: Attempt, message: string): void {
  const path = PATH.exec(message)
  assert.ok(path, `no field is named: ${message}`)
  const [, name, quoted] = path
  const known = [operation.params, operation.query, operation.body?.schema]
    .flatMap((schema) => Object.keys(plain(schema ?? {}).properties ?? {}))
    .concat('body', sentNames(body))
  const shown: string = quoted === undefined ? (name ?? '') : JSON.parse(quoted)
  const isNamed = known.some((one) => one === shown || one.startsWith(shown.replace(/…$/, '')))
  assert.ok(isNamed, `no field is named: ${message}`)
}

const SEGMENT = String.raw`[A-Za-z_$][\w$]*`
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`
/** `messages[0].content: …` or `["weird name"]: …`. */
const PATH = new RegExp(
  `^(?:(${SEGMENT})|\\[(${QUOTED})\\])(?:\\.${SEGMENT}|\\[\\d+\\]|\\[${QUOTED}\\])*: \\S`,
)

function sentNames(body: string | undefined): string[] {
  try {
    return Object.keys(Object(JSON.parse(body ?? '')))
  } catch {
    return []
  }
}

/** A good request still has its reply, nothing was logged as unforeseen, and the books add up. */
async function assertWell({ service }: World): Promise<void> {
  const failures = service.logged.filter((line) => line.includes('unexpected failure'))
  assert.deepEqual(failures, [])
  for (const brand of ['air', 'prime', 'nova']) {
    await operate(service, 'PATCH', `/models/${brand}`, { enabled: true })
    const { key } = await openAccount(service)
    const answer = await chat(service, key, brand, hello)
    assert.equal(answer.status, 200, answer.text)
  }
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([json.ok, json.discrepancies], [true, []])
}
