import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { CreatedKey } from '#api/contract/index.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('key create prints a key that works, alone on stdout, and says that it is shown this once', async () => {
  const { accountId } = await openAccount(service)
  const args = ['key', 'create', accountId, '--name', 'production']
  const { code, stdout, stderr } = await runCommand(service, args)
  assert.equal(code, 0)
  assert.match(stdout, /^svc_live_\w{43}\n$/)
  assert.match(stderr, /^Keep it now: the key is shown this once\. Its id is key_\w+\.\n$/)
  assert.equal((await chat(service, stdout.trim(), 'air', hello)).status, 200)
  const { json } = await runCommand(service, [...args, '--json'])
  const { key } = json as CreatedKey
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
})

test('key list shows keys by their ends, never whole', async () => {
  const { accountId, keyId, key } = await openAccount(service)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/keys`)
  const listed = await runCommand(service, ['key', 'list', accountId])
  const [header, row] = listed.stdout.split('\n')
  assert.match(header ?? '', /^ID +NAME +KEY +CREATED +REVOKED$/)
  const { prefix, last_four: lastFour } = json.data[0]
  assert.equal(row, `${keyId}  test  ${prefix}…${lastFour}  2026-11-21T12:00:00Z  -`)
  assert.ok(!listed.stdout.includes(key))
  assert.deepEqual((await runCommand(service, ['key', 'list', accountId, '--json'])).json, json)
  const { json: bare } = await operate(service, 'POST', '/accounts', { email: 'bare@b.c' })
  const none = await runCommand(service, ['key', 'list', bare.id])
  assert.equal(none.stdout, 'This account has no keys.\n')
})

test('key revoke takes a key away at once', async () => {
  const { accountId, keyId, key } = await openAccount(service)
  const revoked = await runCommand(service, ['key', 'revoke', accountId, keyId])
  assert.deepEqual([revoked.code, revoked.stdout], [0, `Revoked ${keyId}.\n`])
  assert.equal((await chat(service, key, 'air', hello)).status, 401)
  const listed = await runCommand(service, ['key', 'list', accountId])
  assert.match(listed.stdout, /2026-11-21T12:00:00Z\n$/)
  const again = await runCommand(service, ['key', 'revoke', accountId, keyId, '--json'])
  assert.deepEqual([again.code, again.stdout], [0, ''])
})

test('a key or an account that is not there is told, and a name is asked for', async () => {
  const { accountId } = await openAccount(service)
  const key = await runCommand(service, ['key', 'revoke', accountId, 'key_x'])
  assert.equal(key.code, 1)
  assert.equal(key.stderr, 'This account has no key with this id. [not_found]\n')
  for (const args of [
    ['create', 'acc_x', '--name', 'n'],
    ['list', 'acc_x'],
    ['revoke', 'acc_x', 'k'],
  ]) {
    const { code, stderr } = await runCommand(service, ['key', ...args])
    assert.deepEqual([code, stderr], [1, 'There is no account with this id. [not_found]\n'])
  }
  const nameless = await runCommand(service, ['key', 'create', accountId])
  assert.equal(nameless.code, 2)
  assert.match(nameless.stderr, /required option '--name <name>'/)
})
