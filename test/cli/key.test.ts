import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { ApiKey, CreatedKey } from '#api/contract/index.ts'
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
  assert.match(
    header ?? '',
    /^ID +NAME +KEY +CREATED +EXPIRES +DAILY CEILING € +SPENT TODAY € +REVOKED$/,
  )
  const { prefix, last_four: lastFour } = json.data[0]
  const cells = [
    keyId,
    'test',
    `${prefix}…${lastFour}`,
    '2026-11-21T12:00:00Z',
    '-',
    '-',
    '0.00',
    '-',
  ]
  assert.deepEqual(row?.split(/ +/), cells)
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

test('key create takes an expiry and a ceiling, and key update changes them', async () => {
  const { accountId } = await openAccount(service)
  const limits = ['--expires', '2030-01-31T00:00:00Z', '--ceiling', '5']
  const args = ['key', 'create', accountId, '--name', 'limited', ...limits, '--json']
  const { id, ...created } = (await runCommand(service, args)).json as CreatedKey
  const expiresAt = Date.parse('2030-01-31T00:00:00Z')
  assert.deepEqual([created.expires_at, created.daily_ceiling_eur], [expiresAt, '5.00'])
  const update = (...changes: string[]) =>
    runCommand(service, ['key', 'update', accountId, id, ...changes])
  const changed = await update('--name', 'less', '--ceiling', '0.25', '--expires', 'none')
  assert.deepEqual([changed.code, changed.stderr], [0, ''])
  assert.match(changed.stdout, /^name +less$/m)
  assert.match(changed.stdout, /^expires +-$/m)
  assert.match(changed.stdout, /^daily ceiling +0\.25 €$/m)
  const startedMs = Date.now()
  const { json } = await update('--expires', '30d', '--ceiling', 'none', '--json')
  const { expires_at: inThirtyDays, daily_ceiling_eur: none, name } = json as ApiKey
  const tookMs = Number(inThirtyDays) - startedMs - 30 * 86_400_000
  assert.ok(tookMs >= 0 && tookMs <= Date.now() - startedMs)
  assert.deepEqual([none, name], [null, 'less'])
  for (const [wrong, told] of [
    [[], /say what to change, such as --ceiling 2\.00/],
    [['--expires', 'soon'], /Give 30d, 12h, 90m, a time such as/],
    [['--expires', '2030-02-31'], /Give 30d/],
    [['--ceiling', 'all'], /Write euros/],
  ] as const) {
    const { code, stderr } = await update(...wrong)
    assert.equal(code, 2)
    assert.match(stderr, told)
  }
})

test('key roll prints the new key alone on stdout, and the old one ends after the overlap', async () => {
  const { accountId, keyId, key } = await openAccount(service)
  const roll = (...options: string[]) =>
    runCommand(service, ['key', 'roll', accountId, keyId, ...options])
  const { code, stdout, stderr } = await roll('--overlap', '2h')
  assert.equal(code, 0)
  assert.match(stdout, /^svc_live_\w{43}\n$/)
  assert.match(stderr, /^Keep it now/)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/keys`)
  assert.equal(json.data.at(-1)?.expires_at, service.clock.nowMs() + 2 * 3_600_000)
  assert.equal((await chat(service, stdout.trim(), 'air', hello)).status, 200)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  assert.equal((await roll('--overlap', '0m')).code, 0)
  assert.equal((await chat(service, key, 'air', hello)).status, 401)
  const again = await roll()
  assert.deepEqual([again.code, again.stdout], [1, ''])
  assert.match(again.stderr, /^This key has expired: .+ \[conflict\]\n$/)
  assert.match((await roll('--overlap', '1')).stderr, /Give a time such as 30d/)
})
