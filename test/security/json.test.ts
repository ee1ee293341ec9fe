import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { createContract, type Operation } from '#api/contract/index.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { call, chat, hello, openAccount, operate, type Answer } from '../support/call.ts'
import { signInSomebody, writeCredentials, writeSession } from '../support/identity/credentials.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: true })
const { key, accountId } = await openAccount(service, { min_tier: 3, depositEur: '1000' })
const session = writeSession(await signInSomebody(service), service)
const own = await call(service, 'GET', '/console/api/accounts', { headers: session })
const ownId: string = own.json.data[0].id
await operate(service, 'PATCH', `/accounts/${ownId}`, { min_tier: 3 })
const operations: readonly Operation[] = createContract('svc').operations
const taking = operations.filter(({ body }) => body !== undefined)

const MIB = 1024 * 1024
const DEEP = 100_000
const deepArray = '['.repeat(DEEP) + ']'.repeat(DEEP)

/** What every object inherits from: nothing that is sent may ever show up here. */
const builtIns = [Object, Array, Function, String, Number, Promise, Map, Error, Buffer]
const untouched = describeBuiltIns()

function describeBuiltIns(): string[] {
  return builtIns.flatMap((one) =>
    [one, one.prototype].flatMap((holder) => Reflect.ownKeys(holder).map(String)),
  )
}

afterEach(async () => {
  service.clock.advance(60_000)
  assert.deepEqual(describeBuiltIns(), untouched)
  assert.equal('polluted' in {}, false)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const unforeseen = service.logged.filter((line) => /unexpected|"level":"error"/.test(line))
  assert.deepEqual(unforeseen, [])
})

function send(operation: Operation, body: string): Promise<Answer> {
  const ofWhom = operation.auth === 'session' ? ownId : accountId
  const path = operation.path.replace('{account_id}', ofWhom).replace('{brand}', 'prime')
  const credentials = writeCredentials(service, key, session)
  const method = operation.method.toUpperCase()
  return call(service, method, path, { headers: credentials[operation.auth], body })
}

/** By a key, or from the playground. */
const isChat = ({ path }: Operation): boolean => path.includes('/chat/')

/** A good body of the operation, written out with more members at its front. */
function withMembers({ body }: Operation, members: string): string {
  const [example] = Object.values(body?.examples ?? {})
  return JSON.stringify(example).replace('{', `{${members},`)
}

const poison = [
  '"__proto__":{"polluted":true}',
  '"__proto__":null',
  '"\\u005f_proto__":{"polluted":true}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"prototype":{"polluted":true}',
  '"toString":1,"valueOf":1,"hasOwnProperty":1,"toJSON":1,"then":1',
  '"__defineGetter__":1,"__lookupSetter__":1',
]

for (const operation of taking) {
  test(`${operation.id} takes no member for more than its name, __proto__ and its like included`, async () => {
    for (const members of poison) {
      const answer = await send(operation, withMembers(operation, members))
      // Callers may send more than we know; operators, whose typing errors would cost, may not.
      if (isChat(operation)) assert.equal(answer.status, 200, answer.text)
      else assertRefused(answer, 'invalid_request')
    }
    // What only a prototype has was not sent.
    const inherited = `{"__proto__":${withMembers(operation, '"polluted":1')}}`
    assertRefused(await send(operation, inherited), 'invalid_request')
  })

  test(`${operation.id} refuses depths, widths and numbers beyond all use in words of the contract`, async () => {
    const bombs = [
      deepArray,
      '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP),
      '['.repeat(16 * MIB),
      `[${'{},'.repeat(5 * MIB)}{}]`,
      `[${'1,'.repeat(8 * MIB - 8)}1]`,
      `{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join()}}`,
      '9'.repeat(1_000_000),
      '1e999999999',
      '-0',
    ]
    for (const bomb of bombs) assertRefused(await send(operation, bomb), 'invalid_request')
  })
}

test('where a member comes twice the last one counts, and it is checked as any other', async () => {
  const twice = (last: string) =>
    `{"messages":1,"messages":[{"role":"user","content":"x"}],"max_tokens":1,"max_tokens":${last}}`
  const post = (body: string) => call(service, 'POST', '/v1/chat/air', { key, body })
  const answer = await post(twice('5'))
  assert.equal(answer.status, 200, answer.text)
  for (const last of ['0', '1e999', '"5"', '[]', '1.5', '-1']) {
    assert.match(assertRefused(await post(twice(last)), 'invalid_request'), /^max_tokens: /)
  }
})

test('numbers that no number can hold are refused by their field', async () => {
  for (const [field, text] of [
    ['max_tokens', '1e400'],
    ['max_tokens', '-1e400'],
    ['temperature', '1e400'],
    ['temperature', `2.${'0'.repeat(1_000)}1e1`],
    ['max_tokens', '0.1e-400'],
  ] as const) {
    const body = `{"messages":[{"role":"user","content":"x"}],"${field}":${text}}`
    const answer = await call(service, 'POST', '/v1/chat/air', { key, body })
    assert.ok(assertRefused(answer, 'invalid_request').startsWith(`${field}: `), answer.text)
  }
})

test('a body of 16 MiB of values is refused before anything is made of them', async () => {
  const bytes = Buffer.alloc(16 * MIB, '[')
  const before = process.memoryUsage().heapUsed
  const post = () => call(service, 'POST', '/v1/chat/air', { key, body: String(bytes) })
  const message = assertRefused(await post(), 'invalid_request')
  assert.equal(message, 'body: must have at most 250000 values')
  const grown = process.memoryUsage().heapUsed - before
  // Half a gigabyte where it is parsed; what remains are copies of its text.
  assert.ok(grown < 128 * MIB, `the heap has grown by ${grown} bytes`)
})

test('text full of brackets is text, however much of it there is', async () => {
  const content = '[{"a":1},'.repeat(20_000)
  const messages = Array.from({ length: 60 }, () => ({ role: 'user', content }))
  const body = JSON.stringify({ messages })
  assert.ok(body.length > 10 * MIB)
  const message = assertRefused(await chat(service, key, 'air', { messages }), 'invalid_request')
  assert.match(message, /^messages: /)
})
