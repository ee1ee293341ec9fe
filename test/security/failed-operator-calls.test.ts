import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test, type TestContext } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { call, openAccount, operate, type Answer } from '../support/call.ts'
import { serveFor, type Service } from '../support/service.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { createFailureCounter } from '../../src/api/operator/count-failures.ts'

const BOUND = 10

function guess(service: Service, key = 'a-wrong-token'): Promise<Answer> {
  return call(service, 'GET', '/operator/v1/models', { key })
}

async function guessOften(service: Service): Promise<void> {
  for (let count = 0; count < BOUND; count += 1) {
    assertRefused(await guess(service), 'invalid_operator_token')
  }
}

test('after ten failed calls within a minute, further ones are told to wait', async (t) => {
  const service = await serveFor(t)
  const { key } = await openAccount(service)
  await guessOften(service)
  service.clock.advance(18_500)
  const answer = await guess(service)
  assertRefused(answer, 'too_many_attempts')
  assert.equal(answer.headers.get('retry-after'), '42')
  // Whatever fails, at whichever address: no token, an API key, a body that is never read.
  const path = '/operator/v1/accounts'
  assertRefused(await call(service, 'GET', path), 'too_many_attempts')
  assertRefused(await guess(service, key), 'too_many_attempts')
  assertRefused(await call(service, 'POST', path, { key, body: '{' }), 'too_many_attempts')
})

test('the right token is taken at once, however often others have failed before', async (t) => {
  const service = await serveFor(t)
  for (let count = 0; count < 5 * BOUND; count += 1) await guess(service)
  assert.equal((await operate(service, 'GET', '/models')).status, 200)
  // It does not begin the count anew either: what shares its address with guesses shields none.
  assertRefused(await guess(service), 'too_many_attempts')
})

test('a minute after the first failure, the count begins anew', async (t) => {
  const service = await serveFor(t)
  await guessOften(service)
  service.clock.advance(59_999)
  const last = await guess(service)
  assertRefused(last, 'too_many_attempts')
  assert.equal(last.headers.get('retry-after'), '1')
  service.clock.advance(1)
  await guessOften(service)
  assertRefused(await guess(service), 'too_many_attempts')
})

test("callers of the public surface do not wait for what fails at the operator's", async (t) => {
  const service = await serveFor(t)
  const { key } = await openAccount(service)
  for (let count = 0; count < 2 * BOUND; count += 1) await guess(service)
  assert.equal((await call(service, 'GET', '/v1/models', { key })).status, 200)
  assertRefused(await call(service, 'GET', '/v1/models', { key: 'x' }), 'invalid_api_key')
})

test('the log has one warning a window, with the address and no token', async (t) => {
  const service = await serveFor(t)
  for (let count = 0; count < 5 * BOUND; count += 1) await guess(service)
  const warnings = service.logged.filter((line) => line.includes('"level":"warn"'))
  assert.equal(warnings.length, 1, warnings.join('\n'))
  assert.match(String(warnings[0]), /too_many_attempts.*from (::ffff:)?127\.0\.0\.1/)
  assert.doesNotMatch(service.logged.join('\n'), /a-wrong-token/)
})

test('failures are counted for each address, and only so many addresses are kept', () => {
  const clock = createManualClock()
  const countFailure = createFailureCounter({ clock, windowMs: 60_000, maxAddresses: 3 })
  for (const address of ['a', 'b', 'c']) assert.equal(countFailure(address).failures, 1)
  assert.equal(countFailure('a').failures, 2)
  // A fourth takes the place of the one whose window began first.
  assert.equal(countFailure('d').failures, 1)
  assert.equal(countFailure('c').failures, 2)
  assert.equal(countFailure('a').failures, 1)
})

test('a clock that is set back begins a window, and keeps nobody waiting for longer than one', () => {
  const clock = createManualClock()
  const countFailure = createFailureCounter({ clock, windowMs: 60_000, maxAddresses: 3 })
  countFailure('a')
  clock.advance(-3_600_000)
  assert.deepEqual(countFailure('a'), { failures: 1, untilEndS: 60 })
})

test('every token is compared whole, by digests of one length, in constant time', async (t) => {
  const service = await serveFor(t)
  const compared = watchComparisons(t)
  const token = service.operatorToken
  const given = [token, token.slice(0, -1), `${token}x`, 'x', 'x'.repeat(4_000)]
  for (const one of given) await guess(service, one)
  assert.equal(compared.length, given.length)
  for (const lengths of compared) assert.deepEqual(lengths, [32, 32])
})

/** The lengths of what timingSafeEqual was given, which goes on to do its work. */
function watchComparisons(t: TestContext): number[][] {
  const compared: number[][] = []
  const compare = crypto.timingSafeEqual
  t.mock.method(crypto, 'timingSafeEqual', (left: Buffer, right: Buffer) => {
    compared.push([left.length, right.length])
    return compare(left, right)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return compared
}
