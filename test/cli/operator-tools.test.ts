import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { ApiKey } from '#api/contract/index.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

async function keysOf(accountId: string): Promise<readonly ApiKey[]> {
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/keys`)
  return json.data as unknown as readonly ApiKey[]
}

test('a key is found by its name, by what is shown of it and by its last four', async () => {
  const { accountId, key } = await openAccount(service)
  const [shown] = await keysOf(accountId)
  assert.ok(shown)
  const dotted = `${shown.prefix}…${shown.last_four}`
  for (const [name, ceiling] of [
    ['test', '1.00'],
    [dotted, '2.00'],
    [dotted.replace('…', '...'), '3.00'],
    [shown.last_four, '4.00'],
    [shown.id, '5.00'],
  ] as const) {
    const command = ['key', 'update', accountId, name, '--ceiling', ceiling]
    const { code, stdout } = await runCommand(service, command)
    assert.equal(code, 0, name)
    assert.match(stdout, new RegExp(`^daily ceiling +${ceiling}`, 'm'))
  }
  assert.equal((await runCommand(service, ['key', 'revoke', accountId, 'test'])).code, 0)
  assert.equal((await chat(service, key, 'air', hello)).status, 401)
})

test('which of two keys is meant is asked; one that is revoked is meant only where no other is', async () => {
  const { accountId, keyId } = await openAccount(service)
  const { json: second } = await operate(service, 'POST', `/accounts/${accountId}/keys`, {
    name: 'test',
  })
  const both = await runCommand(service, ['key', 'revoke', accountId, 'test'])
  assert.equal(both.code, 1)
  assert.match(both.stderr, /2 keys go by test\. Give the id of one/)
  assert.ok(both.stderr.includes(keyId) && both.stderr.includes(second.id))
  await runCommand(service, ['key', 'revoke', accountId, keyId])
  const one = await runCommand(service, ['key', 'roll', accountId, 'test', '--overlap', '1h'])
  assert.equal(one.code, 0, one.stderr)
  const none = await runCommand(service, ['key', 'revoke', accountId, 'other'])
  assert.match(none.stderr, /no key that is called other/)
})

test('a key that is rolled ends when the old one would have, unless another time is given', async () => {
  const { accountId } = await openAccount(service)
  const expiresAt = service.clock.nowMs() + 40 * 86_400_000
  const path = `/accounts/${accountId}/keys`
  const limits = { expires_at: expiresAt, daily_ceiling_eur: '2.00' }
  await operate(service, 'POST', path, { name: 'short', ...limits })
  await runCommand(service, ['key', 'roll', accountId, 'short', '--overlap', '1h'])
  const [rolled, old] = await keysOf(accountId)
  assert.deepEqual([rolled?.expires_at, rolled?.daily_ceiling_eur], [expiresAt, '2.00'])
  assert.ok(Number(old?.expires_at) < expiresAt)
  const never = ['key', 'roll', accountId, String(rolled?.id), '--expires', 'none']
  assert.equal((await runCommand(service, never)).code, 0)
  const [latest] = await keysOf(accountId)
  assert.deepEqual([latest?.expires_at, latest?.name], [null, 'short'])
})

test('a person is removed only where their address is written twice', async () => {
  const email = 'ada@example.com'
  const { json: account } = await operate(service, 'POST', '/accounts', { email })
  const wrong = ['person', 'remove', email, '--confirm', 'bob@example.com']
  const refused = await runCommand(service, wrong)
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, "bob@example.com is not this person's address. Nothing was done.\n"],
  )
  assert.equal((await runCommand(service, ['person', 'remove', email])).code, 2)
  const done = await runCommand(service, [
    'person',
    'remove',
    email,
    '--confirm',
    'ADA@example.com',
  ])
  assert.deepEqual(
    [done.code, done.stdout],
    [0, 'Removed ada@example.com: their keys and sessions have ended, the books stay.\n'],
  )
  const { json } = await operate(service, 'GET', `/accounts/${account.id}`)
  assert.equal(json.suspended, true)
  assert.match(json.email, /@removed\.invalid$/)
  assert.equal((await runCommand(service, ['ledger', 'verify'])).code, 0)
})

test('who has no second factor is told to have none', async () => {
  await operate(service, 'POST', '/accounts', { email: 'cyd@example.com' })
  const ran = await runCommand(service, ['person', 'reset-two-factor', 'cyd@example.com'])
  assert.deepEqual(
    [ran.code, ran.stderr],
    [1, 'This person has nothing of it to take away. [conflict]\n'],
  )
})

test('the books are verified for as long as it takes, or as long as is said', async () => {
  const ran = await runCommand(service, ['ledger', 'verify', '--timeout', '1m'])
  assert.equal(ran.code, 0)
  assert.match(ran.stdout, /The books add up/)
  assert.equal((await runCommand(service, ['ledger', 'verify', '--timeout', 'soon'])).code, 2)
})
