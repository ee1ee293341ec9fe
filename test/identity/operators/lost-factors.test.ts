import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, hello, operate } from '../../support/call.ts'
import { openConsolePerson } from '../../support/console-person.ts'
import {
  mailsTo,
  post,
  servePeople,
  signedIn,
  trySignIn,
  whoIs,
} from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'
import { accept, at, join } from '../../support/members.ts'

const service = await servePeople({ after })

async function idOf(email: string): Promise<string> {
  const { json } = await operate(service, 'GET', `/people?email=${encodeURIComponent(email)}`)
  return json.data[0].id
}

test('who has lost their app signs in by their password again, after being signed out', async () => {
  const visitor = await signedIn(service)
  const { email } = visitor
  const { body } = await post(visitor, '/two-factor/enable', { password: PASSWORD })
  const code = readCode((body as { totpURI: string }).totpURI, Date.now())
  await post(visitor, '/two-factor/verify-totp', { code })
  const id = await idOf(email)
  await sql`insert into passkey values ('row_x', ${id}, 'phone', 'k', 'c', 0, 'singleDevice', 0, null, null, 1)`.execute(
    service.store.db,
  )
  assert.match(JSON.stringify((await trySignIn(service, email)).body), /twoFactorRedirect/)
  const path = `/people/${id}/reset-two-factor`
  const first = await operate(service, 'POST', path, {})
  assert.deepEqual([first.status, first.text], [200, '{"authenticator":true,"passkeys":0}'])
  assert.equal(await whoIs(visitor), undefined)
  assert.equal((await operate(service, 'GET', `/people/${id}`)).json.two_factor, false)
  const again = await trySignIn(service, email)
  assert.equal(again.status, 200)
  assert.doesNotMatch(JSON.stringify(again.body), /twoFactorRedirect/)
  assert.match(mailsTo(service, email).at(-1)?.text ?? '', /taken the second step .* away/)
  assert.equal(
    (await operate(service, 'POST', path, { passkeys: true })).text,
    '{"authenticator":false,"passkeys":1}',
  )
  assertRefused(await operate(service, 'POST', path, { passkeys: true }), 'conflict')
  const { json } = await operate(service, 'GET', `/audit?person_id=${id}&limit=1`)
  const [{ action, actor, details }] = json.data
  assert.deepEqual([action, actor], ['person.two_factor_reset', 'operator'])
  assert.deepEqual(details, { person_id: id, authenticator: false, passkeys: 1 })
})

test('an operator removes somebody: all ends at once, they are told, and the books stay', async () => {
  const ana = await openConsolePerson(service)
  const { json: made } = await ana.own('POST', '/keys', { name: 'mine' })
  const path = `/people/${ana.personId}`
  assert.equal((await operate(service, 'DELETE', path)).status, 204)
  assertRefused(await chat(service, made.key, 'air', hello), 'invalid_api_key')
  assertRefused(await ana.ask('GET', '/person'), 'not_signed_in')
  assert.equal((await trySignIn(service, ana.email)).status, 401)
  assert.match(mailsTo(service, ana.email).at(-1)?.text ?? '', /operator .* has deleted/)
  assertRefused(await operate(service, 'DELETE', path), 'conflict')
  assertRefused(await operate(service, 'DELETE', '/people/per_x'), 'not_found')
  assertRefused(await operate(service, 'POST', `${path}/reset-two-factor`, {}), 'conflict')
  assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
  const { json } = await operate(service, 'GET', `/audit?person_id=${ana.personId}`)
  assert.deepEqual(
    json.data.map(({ action, actor }) => [action, actor]),
    [['person.removed', 'operator']],
  )
})

test('the last owner of an account with others is not removed before it has another one', async () => {
  const [ana, bia] = [await openConsolePerson(service), await openConsolePerson(service)]
  await ana.own('POST', '/invitations', { email: 'friend@example.com', role: 'billing' })
  await accept(bia, ana, 'owner')
  const heir = await join(bia, 'billing')
  await bia.own('DELETE', '/membership')
  const path = `/people/${ana.personId}`
  const refused = await operate(service, 'DELETE', path)
  assert.match(assertRefused(refused, 'conflict'), new RegExp(`last owner of ${bia.accountId},`))
  // Nothing of them is gone.
  assert.equal((await ana.own('GET', '/invitations')).json.data.length, 1)
  await at(ana, bia.accountId)('PATCH', `/members/${heir.personId}`, { role: 'owner' })
  assert.equal((await operate(service, 'DELETE', path)).status, 204)
  const { json } = await operate(service, 'GET', `/accounts/${bia.accountId}`)
  assert.deepEqual([json.email, json.suspended], [heir.email, false])
  const audit = await operate(service, 'GET', `/audit?account_id=${bia.accountId}&limit=1`)
  const [{ action, actor, person_id: about }] = audit.json.data
  assert.deepEqual([action, actor, about], ['member.removed', 'operator', ana.personId])
})
