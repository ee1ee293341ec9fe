import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { ModelState } from '#api/contract/index.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('models shows a line for each upstream', async () => {
  const { code, stdout } = await runCommand(service, ['models'])
  assert.equal(code, 0)
  const [header, ...rows] = stdout.trimEnd().split('\n')
  assert.match(
    header ?? '',
    /^BRAND +MODEL +ENABLED +CONTEXT +MAX OUTPUT +UPSTREAM +KIND +PRIORITY/,
  )
  assert.equal(rows.length, 3)
  assert.match(
    rows[0] ?? '',
    /^air +svc-air-v1 +yes +131072 +4096 +simulated +simulated +1 +1 +closed +0 +0 +0 +0 +- +-$/,
  )
  const { json } = await operate(service, 'GET', '/models')
  assert.deepEqual((await runCommand(service, ['models', '--json'])).json, json)
})

test('models disable switches a brand off, models enable on again', async () => {
  const { key } = await openAccount(service)
  const off = await runCommand(service, ['models', 'disable', 'air'])
  assert.equal(off.code, 0)
  assert.match(off.stdout, /^air +svc-air-v1 +no /m)
  assert.equal((await chat(service, key, 'air', hello)).status, 503)
  const on = await runCommand(service, ['models', 'enable', 'air', '--json'])
  const { brand, enabled } = on.json as ModelState
  assert.deepEqual([brand, enabled], ['air', true])
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
})

test('models refuses a brand that is none', async () => {
  for (const args of [['enable', 'sky'], ['disable'], ['sky']]) {
    assert.equal((await runCommand(service, ['models', ...args])).code, 2)
  }
})

test('audit lists who did what, newest first, page by page', async () => {
  const { accountId, keyId } = await openAccount(service)
  const first = await runCommand(service, ['audit', '--limit', '1'])
  assert.equal(first.code, 0)
  assert.match(first.stderr, /--all/)
  const [header, row] = first.stdout.split('\n')
  assert.match(header ?? '', /^TIME +ACTOR +ACTION +ACCOUNT +DETAILS$/)
  const when = '2026-11-21T12:00:00Z'
  assert.equal(row, `${when}  operator  key.created  ${accountId}  key_id=${keyId} name=test`)
  const { json } = await operate(service, 'GET', '/audit?limit=200')
  const all = await runCommand(service, ['audit', '--limit', '2', '--all', '--json'])
  assert.ok(json.data.length > 2)
  assert.deepEqual(all.json, json)
  assert.equal((await runCommand(service, ['audit', '--limit', 'x'])).code, 2)
})
