import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { generateKey } from '../../src/accounts/api-key.ts'
import { createContract, type Operation } from '#api/contract/index.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { call, chat, hello, openAccount, operate, type Answer } from '../support/call.ts'
import { fillPath as fillAddress, openOwnPlaces, openPlaces } from '../support/fill-path.ts'
import { signInSomebody, writeCredentials, writeSession } from '../support/identity/credentials.ts'
import { listRoutes } from '../support/list-routes.ts'
import { serveFor } from '../support/service.ts'
import { isListedApart, PUBLIC, SIGNED } from './open-routes.ts'

const service = await serveFor({ after }, { identity: true })
const operations: readonly Operation[] = createContract('svc').operations

/** So that failed calls of one test do not turn the next one's 401 into a 429. */
beforeEach(() => service.clock.advance(60_000))

const person = await openPlaces(
  service,
  await openAccount(service, { min_tier: 3, depositEur: '100' }),
)
const stranger = await openAccount(service, { min_tier: 3, depositEur: '100' })
const revoked = await makeRevokedKey()
const visitor = await signInSomebody(service)
const session = writeSession(visitor, service)
const own = await openOwnPlaces(service, person, session)
const otherSession = writeSession(await signInSomebody(service), service)
const otherOwn = await openOwnPlaces(service, person, otherSession)

async function makeRevokedKey(): Promise<string> {
  const { accountId, keyId, key } = await openAccount(service)
  await operate(service, 'DELETE', `/accounts/${accountId}/keys/${keyId}`)
  return key
}

function fillPath({ path, auth }: Operation, places: Partial<typeof person> = {}): string {
  return fillAddress(path, { ...(auth === 'session' ? own : person), ...places })
}

/** What opens an operation of an operator's or of a person's. */
function openerOf({ auth }: Operation): Readonly<Record<string, string>> {
  return writeCredentials(service, key, session)[auth]
}

/** A body that would be taken, were it sent with the right credentials. */
function firstExample({ body }: Operation): { readonly body?: unknown } {
  const [example] = Object.values(body?.examples ?? {})
  return example === undefined ? {} : { body: example }
}

const { key } = person
const token = service.operatorToken
const swapped = key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))

/** Headers that open nothing, whichever surface they are sent to. */
const useless: Readonly<Record<string, string>> = {
  'an empty value': '',
  'the scheme alone': 'Bearer',
  'the scheme and a space': 'Bearer ',
  'a key without a scheme': key,
  'a token without a scheme': token,
  'another scheme': `Basic ${btoa(`operator:${token}`)}`,
  'a scheme that begins alike': `BearerX ${key}`,
  'two keys': `Bearer ${key} ${key}`,
  'two headers in one': `Bearer ${key}, Bearer ${key}`,
  'a key in quotes': `Bearer "${key}"`,
  'a key in percents': `Bearer ${key.replace('_', '%5F')}`,
  'a key with its last letter changed': `Bearer ${swapped}`,
  'a key cut short': `Bearer ${key.slice(0, -1)}`,
  'a key with a letter more': `Bearer ${key}x`,
  'a key in capitals': `Bearer ${key.toUpperCase()}`,
  'a key of another service': `Bearer ${generateKey('kiosk').key}`,
  'a well-formed key that nobody has': `Bearer ${generateKey('svc').key}`,
  'a revoked key': `Bearer ${revoked}`,
  'the prefix of a key': 'Bearer svc_live_',
  'a token cut short': `Bearer ${token.slice(0, -1)}`,
  'a token with a letter more': `Bearer ${token}x`,
  'a token in capitals': `Bearer ${token.toUpperCase()}`,
  'the words undefined and null': 'Bearer undefined null',
  'the word null': 'Bearer null',
  'an id of an account': `Bearer ${person.accountId}`,
  'an id of a key': `Bearer ${person.keyId}`,
  'letters of other scripts': 'Bearer \u00e9\u00fc\u00ff',
  'a long text': `Bearer ${'x'.repeat(8_000)}`,
}

const REFUSALS = {
  api_key: { code: 'invalid_api_key', foreign: token },
  operator_token: { code: 'invalid_operator_token', foreign: key },
  session: { code: 'not_signed_in', foreign: token },
} as const

test('what is served without credentials is listed here, and nothing else is', async () => {
  const open: string[] = []
  for (const address of listRoutes(service.app.server.printRoutes({ commonPrefix: false }))) {
    if (isListedApart(address)) continue
    const [method = '', route = ''] = address.split(' ')
    const path = fillAddress(route.replaceAll(/:(\w+)/g, '{$1}'), person)
    service.clock.advance(60_000)
    const { status } = await fetch(service.origin + path, { method })
    if (status !== 401) open.push(address)
  }
  const heads = PUBLIC.map((address) => address.replace('GET', 'HEAD'))
  assert.deepEqual(open.toSorted(), [...PUBLIC, ...heads, ...SIGNED].toSorted())
})

test('every route of the server is an operation of the contract, or listed here as public', () => {
  const declared = operations.map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  const routes = listRoutes(service.app.server.printRoutes({ commonPrefix: false }))
  const gets = new Set(
    routes.filter((route) => !route.startsWith('HEAD ') && !isListedApart(route)),
  )
  assert.deepEqual(
    [...gets].toSorted(),
    [...new Set([...declared, ...PUBLIC, ...SIGNED])].toSorted(),
  )
})

for (const operation of operations) {
  const { auth } = operation
  if (auth === 'none') {
    test(`${operation.id} answers anybody, whatever credentials are sent`, async () => {
      for (const authorization of [undefined, ...Object.values(useless)]) {
        const headers = authorization === undefined ? {} : { authorization }
        const path = fillPath(operation)
        const answer = await call(service, operation.method.toUpperCase(), path, { headers })
        assert.equal(answer.status, 200)
      }
    })
    continue
  }
  const { code, foreign } = REFUSALS[auth]
  const all = { ...useless, "the other surface's credentials": `Bearer ${foreign}` }
  for (const [what, authorization] of [['no header', undefined], ...Object.entries(all)] as const) {
    test(`${operation.id} refuses ${what} before it looks at anything else`, async () => {
      const headers = authorization === undefined ? {} : { authorization }
      const method = operation.method.toUpperCase()
      const example = firstExample(operation)
      for (const sent of 'body' in example ? [example, { body: '{' }] : [{}]) {
        const path = fillPath(operation)
        const answer = await call(service, method, path, { headers, ...sent })
        assertRefused(answer, code)
        assert.match(String(answer.headers.get('x-request-id')), /^req_/)
      }
    })
  }
}

/** Cookies that open nothing. */
const { cookie = '' } = session
const [cookieName = ''] = cookie.split('=', 1)
const forged: Readonly<Record<string, string>> = {
  'an empty cookie': `${cookieName}=`,
  'a cookie with a letter of its signature changed': cookie.replace(/\.(.)(?=[^.]*$)/, (_, first) =>
    first === 'A' ? '.B' : '.A',
  ),
  'a cookie without its signature': cookie.replace(/\.[^.]*$/, ''),
  'a cookie of another name': cookie.replace(cookieName, 'session'),
  'a cookie of https': `__Secure-${cookie}`,
  'a cookie that cannot be read': `${cookieName}=%ff%00`,
  'an API key': `${cookieName}=${key}`,
}

for (const operation of operations.filter(({ auth }) => auth === 'session')) {
  test(`${operation.id} takes no forged session, and none that another page makes use of`, async () => {
    const method = operation.method.toUpperCase()
    const send = (headers: Readonly<Record<string, string>>) =>
      call(service, method, fillPath(operation), { headers, ...firstExample(operation) })
    for (const [what, sent] of Object.entries(forged)) {
      const { status } = assertNobody(await send({ ...session, cookie: sent }), what)
      assert.equal(status, 401)
    }
    if (operation.method === 'get') return
    const { cookie: bare = '' } = session
    for (const origin of ['https://evil.example', 'null', `${service.origin}.evil.example`]) {
      assertRefused(await send({ cookie: bare, origin }), 'foreign_origin')
    }
    assertRefused(await send({ cookie: bare }), 'foreign_origin')
    assertRefused(await send({ cookie: bare, 'sec-fetch-site': 'cross-site' }), 'foreign_origin')
  })
}

function assertNobody(answer: Answer, what: string): Answer {
  assert.equal(answer.json.error.code, 'not_signed_in', what)
  return answer
}

test('a session opens no surface but its own', async () => {
  for (const operation of operations) {
    const { auth } = operation
    if (auth === 'none' || auth === 'session') continue
    const method = operation.method.toUpperCase()
    const sent = { headers: session, ...firstExample(operation) }
    // Of a customer; an operator's opens the operator's surface, and test/identity/operators has its rules.
    const code = auth === 'operator_token' ? 'not_an_operator' : REFUSALS[auth].code
    assertRefused(await call(service, method, fillPath(operation), sent), code)
    service.clock.advance(60_000)
  }
})

/** Ids that no account and no key has, some of them nearly. */
function listMisses(id: string): string[] {
  return [
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    id.replace('_', ''),
    `${id}%00`,
    `%20${id}`,
    id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    'null',
    '*',
    '%25',
    '__proto__',
  ].filter((miss) => miss !== id)
}

for (const operation of operations.filter(({ path }) => path.includes('{account_id}'))) {
  test(`${operation.id} is 404 for an id that no account has`, async () => {
    const method = operation.method.toUpperCase()
    const [headers, example] = [openerOf(operation), firstExample(operation)]
    const { accountId } = operation.auth === 'session' ? own : person
    for (const miss of [...listMisses(accountId), person.keyId]) {
      const path = fillPath(operation, { accountId: miss })
      assertRefused(await call(service, method, path, { headers, ...example }), 'not_found')
    }
  })
}

/** Each account here has one member. */
const ENDS_THE_LAST_OWNER: ReadonlySet<string> = new Set([
  'updateMember',
  'removeMember',
  'leaveAccount',
])

const ofPeople = operations.filter(
  ({ auth, path }) => auth === 'session' && /\{(account|topup)_id\}/.test(path),
)

for (const operation of ofPeople) {
  test(`${operation.id} is 404 for what another person has, and not for what is one's own`, async () => {
    const method = operation.method.toUpperCase()
    const ask = (headers: Readonly<Record<string, string>>, places: typeof own) =>
      call(service, method, fillPath(operation, places), { headers, ...firstExample(operation) })
    for (const [headers, mine, foreign] of [
      [session, own, otherOwn],
      [otherSession, otherOwn, own],
    ] as const) {
      const { status } = await ask(headers, mine)
      if (ENDS_THE_LAST_OWNER.has(operation.id)) assert.equal(status, 409)
      else assert.ok(status < 300)
      assertRefused(await ask(headers, foreign), 'not_found')
      assertRefused(await ask(headers, person), 'not_found')
    }
    for (const topupId of listMisses(own.topupId)) {
      if (!operation.path.includes('{topup_id}')) continue
      assertRefused(await ask(session, { ...own, topupId }), 'not_found')
    }
  })
}

for (const [name, field, foreign] of [
  ['{client_id}', 'clientId', person.accountId],
  ['{person_id}', 'personId', person.accountId],
  ['{kid}', 'kid', person.clientId],
] as const) {
  for (const operation of operations.filter(({ path }) => path.includes(name))) {
    test(`${operation.id} is 404 for an id that nothing of its kind has`, async () => {
      const method = operation.method.toUpperCase()
      // A built-in client is none of the operator's.
      for (const id of [...listMisses(person[field]), foreign, 'parley-cli']) {
        const path = fillPath(operation, { [field]: id })
        const answer = await call(service, method, path, { key: token, ...firstExample(operation) })
        assertRefused(answer, 'not_found')
      }
    })
  }
}

/** Every operation on what an account has, whichever it is. A brand is nobody's. */
const nested = operations.filter(({ path }) => /\{account_id\}.*\{(?!brand\b)\w+\}/.test(path))

test('what an account has is reached by its id, and is of these kinds alone', () => {
  const names = nested.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)])
  assert.deepEqual(
    new Set(names.map(([, name]) => name)),
    new Set(['account_id', 'key_id', 'request_id', 'member_id', 'invitation_id']),
  )
})

// Of people's own: test/console/api/ownership.test.ts.
for (const operation of nested.filter(({ auth }) => auth !== 'session')) {
  test(`${operation.id} is 404 for what another account has, under either of their ids`, async () => {
    const method = operation.method.toUpperCase()
    for (const [{ accountId }, { keyId }] of [
      [person, stranger],
      [stranger, person],
    ] as const) {
      const path = fillPath(operation, { accountId, keyId })
      const answer = await call(service, method, path, { key: token, ...firstExample(operation) })
      assertRefused(answer, 'not_found')
    }
  })
}

test('a key is found at its own account alone', async () => {
  const { accountId } = person
  for (const keyId of [...listMisses(person.keyId), stranger.keyId, accountId]) {
    const path = `/accounts/${accountId}/keys/${keyId}`
    assertRefused(await operate(service, 'DELETE', path), 'not_found')
  }
  for (const one of [person, stranger]) {
    assert.equal((await chat(service, one.key, 'air', hello)).status, 200)
  }
})

test("receipts and keys are those of the account asked for, wherever another's id is put", async () => {
  await chat(service, person.key, 'air', hello)
  await chat(service, stranger.key, 'air', hello)
  const listed = async (accountId: string, query = '') =>
    (await operate(service, 'GET', `/accounts/${accountId}/receipts${query}`)).json.data
  const [theirs] = await listed(stranger.accountId)
  const pages = [
    ...(await listed(person.accountId, `?cursor=${theirs.request_id}`)),
    ...(await listed(person.accountId, `?account_id=${stranger.accountId}`)),
  ]
  assert.ok(pages.length > 0)
  assert.ok(pages.every(({ key_id: keyId }) => keyId === person.keyId))
  const { json } = await operate(service, 'GET', `/accounts/${person.accountId}/keys`)
  assert.deepEqual(
    json.data.map(({ id }) => id),
    [person.keyId],
  )
})

const methods = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST', 'GET', 'PROPFIND', 'QUERY']

for (const path of new Set(operations.map((operation) => operation.path))) {
  test(`${path} answers a method that it does not take with those that it does`, async () => {
    const known = operations.filter((operation) => operation.path === path)
    const takes = known.map(({ method }) => method.toUpperCase())
    if (takes.includes('GET')) takes.push('HEAD')
    const address = fillPath(known[0]!)
    for (const method of methods.filter((one) => !takes.includes(one))) {
      for (const credentials of [{}, { key }, { key: token }]) {
        const answer = await call(service, method, address, credentials)
        assert.equal(answer.status, 405, `${method} ${answer.text}`)
        assert.deepEqual(answer.headers.get('allow')?.split(', '), takes)
        if (method !== 'HEAD') assertRefused(answer, 'method_not_allowed')
      }
    }
  })
}

for (const operation of operations.filter(({ method }) => method === 'get')) {
  test(`a HEAD of ${operation.id} is answered as its GET is, without a body`, async () => {
    const credentials = writeCredentials(service, key, session)
    for (const headers of [credentials[operation.auth], { authorization: 'Bearer wrong' }]) {
      const path = fillPath(operation)
      const head = await call(service, 'HEAD', path, { headers })
      const get = await call(service, 'GET', path, { headers })
      assert.deepEqual([head.status, head.text], [get.status, ''])
      for (const name of ['content-type', 'content-length']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name)
      }
    }
  })
}

for (const operation of operations.filter(({ path }) => path.includes('{'))) {
  test(`${operation.id} at an address that cannot be read is told to have nothing there`, async () => {
    for (const piece of ['%', '%zz', '%ff', '%c0%af', '%ed%a0%80']) {
      const path = operation.path.replaceAll(/\{\w+\}/g, piece)
      const method = operation.method.toUpperCase()
      const response = await fetch(service.origin + path, { method })
      const { error } = (await response.json()) as { error: { code: string } }
      assert.deepEqual([response.status, error.code], [404, 'not_found'], path)
      assert.match(String(response.headers.get('x-request-id')), /^req_/)
    }
  })
}
