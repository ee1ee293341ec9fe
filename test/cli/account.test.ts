import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('account create makes an account and shows it, a line for each figure', async () => {
  const args = ['account', 'create', '--email', 'Ada@example.com', '--name', 'Ada Lovelace']
  const { code, stdout, stderr } = await runCommand(service, args)
  assert.deepEqual([code, stderr], [0, ''])
  const { json } = await operate(service, 'GET', '/accounts?email=ada@example.com')
  assert.equal(
    stdout,
    [
      `id             ${json.data[0].id}`,
      'email          ada@example.com',
      'name           Ada Lovelace',
      'tier           1',
      'min tier       1',
      'plan           FREE',
      'balance        1.00 €',
      'held           0.00 €',
      'deposits       0.00 €',
      'spent today    0.00 €',
      'daily ceiling  -',
      'suspended      no',
      'created        2026-11-21T12:00:00Z',
      '',
    ].join('\n'),
  )
})

test('account show takes an id or an e-mail address, and --json is what the API says', async () => {
  const { json: account } = await operate(service, 'POST', '/accounts', { email: 'show@b.c' })
  const byId = await runCommand(service, ['account', 'show', account.id, '--json'])
  const byEmail = await runCommand(service, ['account', 'show', 'SHOW@b.c', '--json'])
  assert.deepEqual([byId.json, byEmail.json], [account, account])
  const shown = await runCommand(service, ['account', 'show', account.id])
  assert.match(shown.stdout, /^email {10}show@b\.c$/m)
})

test('account list shows a table with amounts to the right, comparable at sight', async () => {
  const { json: rich } = await operate(service, 'POST', '/accounts', { email: 'list@b.c' })
  const credit = { kind: 'deposit', amount_eur: '1234.0000005', reference: 'list' }
  await operate(service, 'POST', `/accounts/${rich.id}/credits`, credit)
  const { json: poor } = await operate(service, 'POST', '/accounts', { email: 'list@b.c' })
  const { stdout } = await runCommand(service, ['account', 'list', '--email', 'list@b.c'])
  const id = (text: string) => text.padEnd(rich.id.length)
  assert.equal(
    stdout,
    [
      `${id('ID')}  EMAIL     NAME  TIER  PLAN     BALANCE €  SPENT TODAY €  SUSPENDED  CREATED`,
      `${poor.id}  list@b.c  -        1  FREE     0.0000000           0.00  no         2026-11-21T12:00:00Z`,
      `${rich.id}  list@b.c  -        3  FREE  1235.0000005           0.00  no         2026-11-21T12:00:00Z`,
      '',
    ].join('\n'),
  )
})

test('account list says where it goes on, and with --all follows every page', async () => {
  for (const _time of [1, 2, 3]) await operate(service, 'POST', '/accounts', { email: 'page@b.c' })
  const filter = ['account', 'list', '--email', 'page@b.c', '--limit', '2']
  const first = await runCommand(service, filter)
  assert.equal(first.stdout.trimEnd().split('\n').length, 3)
  assert.match(first.stderr, /--all/)
  const all = await runCommand(service, [...filter, '--all', '--json'])
  const { json } = await operate(service, 'GET', '/accounts?email=page@b.c')
  assert.equal(json.data.length, 3)
  assert.deepEqual(all.json, json)
  const none = await runCommand(service, ['account', 'list', '--email', 'nobody@b.c'])
  assert.equal(none.stdout, 'No accounts.\n')
})

test('account set changes what is named and nothing else', async () => {
  const { json: account } = await operate(service, 'POST', '/accounts', { email: 'set@b.c' })
  const set = (...changes: string[]) =>
    runCommand(service, ['account', 'set', 'set@b.c', ...changes, '--json'])
  const changed = await set('--min-tier', '2', '--plan', 'pro', '--ceiling', '5', '--suspend')
  const expected = { ...account, tier: 2, min_tier: 2, plan: 'PRO', suspended: true }
  assert.deepEqual(changed.json, { ...expected, daily_ceiling_eur: '5.00' })
  const back = await set('--ceiling', 'none', '--resume')
  assert.deepEqual(back.json, { ...expected, daily_ceiling_eur: null, suspended: false })
  const shown = await runCommand(service, ['account', 'set', account.id, '--min-tier', '3'])
  assert.match(shown.stdout, /^min tier {7}3$/m)
})

test('an account that is not there, or not the only one of its address, is told', async () => {
  const unknownEmail = await runCommand(service, ['account', 'show', 'nobody@b.c'])
  assert.equal(unknownEmail.code, 1)
  assert.match(unknownEmail.stderr, /^No account has the e-mail address nobody@b\.c\. See: .*\n$/)
  const unknownId = await runCommand(service, ['account', 'set', 'acc_x', '--suspend'])
  assert.equal(unknownId.code, 1)
  assert.equal(unknownId.stderr, 'There is no account with this id. [not_found]\n')
  const { json: one } = await operate(service, 'POST', '/accounts', { email: 'two@b.c' })
  const { json: two } = await operate(service, 'POST', '/accounts', { email: 'two@b.c' })
  const both = await runCommand(service, ['account', 'show', 'two@b.c'])
  assert.equal(both.code, 1)
  assert.ok(both.stderr.startsWith('2 accounts have the e-mail address two@b.c.'))
  assert.ok(both.stderr.includes(one.id) && both.stderr.includes(two.id))
})

test('what cannot be a tier, plan, ceiling or address is refused in a sentence', async () => {
  const wrong = [
    ['--min-tier', '4'],
    ['--plan', 'gold'],
    ['--ceiling', '5,00'],
    ['--ceiling', '1.0123456789'],
    ['--suspend', '--resume'],
    [],
  ]
  for (const changes of wrong) {
    const { code, stdout, stderr } = await runCommand(service, ['account', 'set', 'a', ...changes])
    assert.deepEqual([code, stdout], [2, ''], changes.join(' '))
    assert.match(stderr, /^error: [^\n]+\nAdd --help[^\n]+\n$/)
  }
  const address = await runCommand(service, ['account', 'create', '--email', 'ada'])
  assert.equal(address.code, 1)
  assert.match(address.stderr, /^email: .* \[invalid_request\]\n$/)
})

test('a name cannot steer the terminal that shows it', async () => {
  const name = 'Eve\u001B]0;owned\u0007\nroot'
  await operate(service, 'POST', '/accounts', { email: 'eve@b.c', name })
  const { stdout } = await runCommand(service, ['account', 'show', 'eve@b.c'])
  assert.match(stdout, /^name {11}Eve�\]0;owned��root$/m)
})

test('account members lists who belongs to an account, and in which role', async () => {
  const { json: account } = await operate(service, 'POST', '/accounts', { email: 'crew@b.c' })
  const { code, stdout } = await runCommand(service, ['account', 'members', 'crew@b.c'])
  assert.equal(code, 0)
  assert.match(stdout, /^PERSON +EMAIL +NAME +ROLE +JOINED\nper_\w+ +crew@b\.c +- +owner +2026/)
  const asked = await runCommand(service, ['account', 'members', account.id, '--json'])
  const { data } = JSON.parse(asked.stdout) as { data: Record<string, unknown>[] }
  assert.deepEqual(
    data.map(({ email, role }) => [email, role]),
    [['crew@b.c', 'owner']],
  )
})
