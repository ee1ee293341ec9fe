import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { OperatorPerson, SigningKey, SignInLink } from '#api/contract/index.ts'
import { operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
  for (const email of ['ada@example.com', 'bob@example.com']) {
    await operate(service, 'POST', '/accounts', { email, name: 'Somebody' })
  }
})
after(() => service.close())

test('person list and show tell who people are, found by address or id', async () => {
  const listed = await runCommand(service, ['person', 'list', '--limit', '1'])
  const [header, row] = listed.stdout.split('\n')
  assert.match(header ?? '', /^ID +EMAIL +VERIFIED +NAME +PLAN +ROLE +TWO FACTORS +CREATED$/)
  assert.match(row ?? '', /^per_\w+ +bob@example\.com +no +Somebody +FREE +customer +no +2026/)
  assert.match(listed.stderr, /--all/)
  const shown = await runCommand(service, ['person', 'show', 'ADA@example.com', '--json'])
  const { id, email } = shown.json as OperatorPerson
  assert.equal(email, 'ada@example.com')
  assert.match((await runCommand(service, ['person', 'show', id])).stdout, /^email +ada@/m)
})

test('person promote and demote change the role, and list finds it', async () => {
  const listed = async () =>
    (await runCommand(service, ['person', 'list', '--role', 'operator'])).stdout
  assert.equal(await listed(), 'Nobody.\n')
  const promoted = await runCommand(service, ['person', 'promote', 'ada@example.com'])
  assert.match(promoted.stdout, /^role +operator$/m)
  assert.match(await listed(), /ada@example\.com/)
  const demoted = await runCommand(service, ['person', 'demote', 'ada@example.com', '--json'])
  assert.equal((demoted.json as OperatorPerson).role, 'customer')
  assert.equal(await listed(), 'Nobody.\n')
})

test('person sign-out says what it did; nobody is told as nobody', async () => {
  const out = await runCommand(service, ['person', 'sign-out', 'ada@example.com'])
  assert.deepEqual([out.code, out.stdout], [0, 'Signed ada@example.com out everywhere.\n'])
  for (const name of ['show', 'promote', 'demote', 'sign-out', 'link']) {
    const unknown = await runCommand(service, ['person', name, 'eve@example.com'])
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, 'Nobody has the e-mail address eve@example.com. See: parley person list\n'],
    )
    const stranger = await runCommand(service, ['person', name, 'per_x'])
    assert.deepEqual(
      [stranger.code, stranger.stderr],
      [1, 'There is no person with this id. [not_found]\n'],
    )
  }
})

test('person link prints a link, once and alone, and says for how long it is good', async () => {
  const made = await runCommand(service, ['person', 'link', 'bob@example.com'])
  assert.match(made.stdout, /^http:\/\/parley\.test\/link\/[\w-]{43}\n$/)
  assert.equal(
    made.stderr,
    'Whoever opens it within 15 minutes is signed in as bob@example.com, once.\n',
  )
  const options = ['--minutes', '1', '--operator', '--json']
  const { json } = await runCommand(service, ['person', 'link', 'bob@example.com', ...options])
  const link = json as SignInLink
  assert.deepEqual(link.expires_at, service.clock.nowMs() + 60_000)
  const audit = await runCommand(service, ['audit', '--limit', '2', '--json'])
  const { data } = audit.json as { data: { action: string; details: Record<string, unknown> }[] }
  assert.deepEqual(
    data.map(({ action, details }) => [action, details['makes_operator']]),
    [
      ['sign_in_link.made', true],
      ['sign_in_link.made', false],
    ],
  )
  assert.equal(data[0]?.details['link_id'], link.id)
  for (const minutes of ['0', '1441', '1.5', 'many', '-1']) {
    const refused = await runCommand(service, [
      'person',
      'link',
      'x@example.com',
      '--minutes',
      minutes,
    ])
    assert.equal(refused.code, 2, minutes)
  }
})

test('signing-key rotate makes a key that signs later or now, list shows them, drop drops', async () => {
  const none = await runCommand(service, ['signing-key', 'list'])
  assert.equal(none.stdout, 'No key yet: the first sign-in makes one.\n')
  const now = await runCommand(service, ['signing-key', 'rotate', '--now', '--json'])
  const { kid: signing, state } = now.json as SigningKey
  assert.equal(state, 'signing')
  const later = await runCommand(service, ['signing-key', 'rotate'])
  assert.match(later.stdout, /^state +next$/m)
  assert.match(later.stdout, /^signs from +2026-11-21T13:00:00Z$/m)
  const soon = await runCommand(service, ['signing-key', 'rotate', '--after', '60', '--json'])
  const { kid } = soon.json as SigningKey
  const listed = await runCommand(service, ['signing-key', 'list'])
  assert.match(listed.stdout, /^KID +STATE +SIGNS FROM +CREATED$/m)
  assert.match(listed.stdout, /^\S+ +next +2026-11-21T12:01:00Z/m)
  const dropped = await runCommand(service, ['signing-key', 'drop', kid])
  assert.deepEqual([dropped.code, dropped.stdout], [0, `Dropped ${kid}.\n`])
  const refused = await runCommand(service, ['signing-key', 'drop', signing])
  assert.equal(refused.stderr, 'This key signs: make another one sign first. [conflict]\n')
  const both = await runCommand(service, ['signing-key', 'rotate', '--now', '--after', '5'])
  assert.equal(both.code, 2)
})
