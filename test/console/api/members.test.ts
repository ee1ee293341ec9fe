import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, hello, operate } from '../../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../support/console-person.ts'
import { lastToken, mailsTo, newAddress, servePeople } from '../../support/identity/people.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'
import { accept, at, join, openInvitation } from '../../support/members.ts'
import { openStream } from '../../support/standing-stream.ts'

const fast = { lookEveryMs: 25, keepAliveMs: 100, checkSessionEveryMs: 50 }
const service = await servePeople({ after }, { watchBounds: fast })

/** Sessions begin by the clock of the system. */
beforeEach(() => service.clock.set(Date.now()))

const listed = async (person: ConsolePerson) => (await person.ask('GET', '/accounts')).json.data
const rolesIn = async (owner: ConsolePerson) =>
  (await owner.own('GET', '/members')).json.data.map(({ email, role }) => [email, role])

test('who accepts has the role from the next request on, beside their own account', async () => {
  const owner = await openConsolePerson(service)
  const member = await join(owner, 'developer')
  const accounts = await listed(member)
  assert.deepEqual(
    Object.fromEntries(accounts.map(({ id, role, is_own: isOwn }) => [id, [role, isOwn]])),
    { [owner.accountId]: ['developer', false], [member.accountId]: ['owner', true] },
  )
  assert.deepEqual(await rolesIn(owner), [
    [owner.email, 'owner'],
    [member.email, 'developer'],
  ])
  const made = await at(member, owner.accountId)('POST', '/keys', { name: 'of a member' })
  assert.equal((await chat(service, made.json.key, 'air', hello)).status, 200)
  const path = `/members/${member.personId}`
  assert.equal((await owner.own('PATCH', path, { role: 'billing' })).status, 200)
  const refused = await at(member, owner.accountId)('POST', '/keys', { name: 'again' })
  assert.equal(
    assertRefused(refused, 'not_permitted'),
    'Your role in this account is billing: this takes owner or developer.',
  )
  assert.equal((await owner.own('DELETE', path)).status, 204)
  assertRefused(await at(member, owner.accountId)('GET', '/standing'), 'not_found')
  // The key is the account's, whoever made it.
  assert.equal((await chat(service, made.json.key, 'air', hello)).status, 200)
  const { data } = (await operate(service, 'GET', '/audit?limit=20')).json
  const actions = data.filter((entry) => entry.account_id === owner.accountId)
  assert.deepEqual(actions.map(({ action }) => action).slice(0, 4), [
    'member.removed',
    'member.role_changed',
    'key.created',
    'member.joined',
  ])
  assert.ok(!JSON.stringify(data).includes('@'), 'no address is written down')
})

test('what a removed member looks on at ends', async () => {
  const owner = await openConsolePerson(service)
  const member = await join(owner, 'read_only')
  const stream = await openStream(member, owner.accountId)
  await stream.next()
  await owner.own('DELETE', `/members/${member.personId}`)
  await stream.ended
})

test('the last owner cannot leave, be removed, or become anything else', async () => {
  const owner = await openConsolePerson(service)
  const member = await join(owner, 'billing')
  const self = `/members/${owner.personId}`
  assertRefused(await owner.own('DELETE', '/membership'), 'conflict')
  assertRefused(await owner.own('DELETE', self), 'conflict')
  assertRefused(await owner.own('PATCH', self, { role: 'developer' }), 'conflict')
  await owner.own('PATCH', `/members/${member.personId}`, { role: 'owner' })
  assert.equal((await owner.own('DELETE', '/membership')).status, 204)
  // The account bears the name of who is left; who left has an empty one, without a second credit.
  const account = (await operate(service, 'GET', `/accounts/${owner.accountId}`)).json
  assert.equal(account.email, member.email)
  const [fresh, ...others] = await listed(owner)
  assert.deepEqual([others, fresh.role, fresh.balance_eur], [[], 'owner', '0.00'])
  assertRefused(await at(member, owner.accountId)('DELETE', '/membership'), 'conflict')
})

test('an answer does not tell whether an address is known, and the mail is the same', async () => {
  const owner = await openConsolePerson(service)
  const [known, unknown] = [(await openConsolePerson(service)).email, newAddress('nobody')]
  const told = []
  for (const email of [known, unknown]) {
    const { status, json } = await owner.own('POST', '/invitations', { email, role: 'billing' })
    const { id: _id, email: _email, ...rest } = json
    const mail = mailsTo(service, email).at(-1)
    const text = mail?.text.replace(/token=[\w-]+/, '') ?? ''
    assert.ok(text.includes(owner.email))
    told.push({ status, rest, subject: mail?.subject, text })
  }
  assert.deepEqual(told[0], told[1])
})

test('the mail is in the language of whoever invites', async () => {
  const owner = await openConsolePerson(service)
  const email = newAddress()
  const response = await fetch(
    `${service.origin}/console/api/accounts/${owner.accountId}/invitations`,
    {
      method: 'POST',
      headers: {
        ...owner.session,
        'content-type': 'application/json',
        'accept-language': 'pt-PT',
      },
      body: JSON.stringify({ email, role: 'owner' }),
    },
  )
  assert.equal(response.status, 201)
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /convite/)
})

test('an invitation is good once, for its address, and not after it was withdrawn or is too old', async () => {
  const owner = await openConsolePerson(service)
  const [member, other] = [await openConsolePerson(service), await openConsolePerson(service)]
  const { email, session } = member
  const invite = async () => {
    const { json } = await owner.own('POST', '/invitations', { email, role: 'read_only' })
    return { id: json.id, token: lastToken(service, email) }
  }
  const first = await invite()
  const second = await invite()
  const send = async (token: string, by = session) =>
    (await openInvitation(service, token, { method: 'POST', session: by })).status
  // Sent anew, the older mail is good for nothing.
  assert.equal(await send(first.token), 410)
  assert.equal((await owner.own('GET', '/invitations')).json.data.length, 1)
  // Opening it does nothing, and nobody else can use it.
  assert.equal((await openInvitation(service, second.token, { session })).status, 200)
  const page = await openInvitation(service, second.token, {
    method: 'POST',
    session: other.session,
  })
  assert.match(await page.text(), /for another address/)
  assert.match(
    await (await openInvitation(service, second.token)).text(),
    /Sign in with the invited/,
  )
  assert.deepEqual((await rolesIn(owner)).length, 1)
  await owner.own('DELETE', `/invitations/${second.id}`)
  assert.equal(await send(second.token), 410)
  const third = await invite()
  service.clock.advance(7 * 86_400_000)
  assert.equal(await send(third.token), 410)
  service.clock.set(Date.now())
  const statuses = await Promise.all([send(third.token), send(third.token), send(third.token)])
  assert.deepEqual(statuses.toSorted(), [303, 410, 410])
  assert.equal((await rolesIn(owner)).length, 2)
  assertRefused(await owner.own('POST', '/invitations', { email, role: 'owner' }), 'conflict')
})

test('an address that its person has not confirmed cannot accept', async () => {
  const owner = await openConsolePerson(service)
  const { json: account } = await operate(service, 'POST', '/accounts', { email: newAddress() })
  const { data } = (await operate(service, 'GET', `/people?email=${account.email}`)).json
  const path = `/people/${data[0].id}/sign-in-links`
  const { json: link } = await operate(service, 'POST', path, {})
  const signedIn = await fetch(service.origin + new URL(link.url).pathname, {
    method: 'POST',
    headers: { origin: service.origin, 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  })
  const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';', 1)[0])
  await owner.own('POST', '/invitations', { email: account.email, role: 'owner' })
  const sent = await openInvitation(service, lastToken(service, account.email), {
    method: 'POST',
    session: { cookie: cookie.join('; ') },
  })
  assert.match(await sent.text(), /Confirm your e-mail address first/)
  assert.equal((await rolesIn(owner)).length, 1)
})

test('an account sends twenty invitations a day at most', async () => {
  const owner = await openConsolePerson(service)
  const invite = () => owner.own('POST', '/invitations', { email: newAddress(), role: 'billing' })
  for (let count = 0; count < 20; count += 1) assert.equal((await invite()).status, 201)
  const refused = await invite()
  assertRefused(refused, 'too_many_attempts')
  service.clock.advance(Number(refused.headers.get('retry-after')) * 1_000)
  assert.equal((await invite()).status, 201)
})

test('what an owner who is removed has begun is not gone through with', async () => {
  const owner = await openConsolePerson(service)
  const other = await join(owner, 'owner')
  const friend = newAddress()
  await at(other, owner.accountId)('POST', '/invitations', { email: friend, role: 'owner' })
  assert.equal((await owner.own('GET', '/invitations')).json.data.length, 1)
  await owner.own('DELETE', `/members/${other.personId}`)
  assert.deepEqual((await owner.own('GET', '/invitations')).json.data, [])
  assert.equal((await openInvitation(service, lastToken(service, friend))).status, 410)
})

test('without mail nobody is invited', async () => {
  const owner = await openConsolePerson(service)
  service.mailer.available = false
  const invited = await owner.own('POST', '/invitations', { email: newAddress(), role: 'billing' })
  service.mailer.available = true
  assertRefused(invited, 'model_unavailable')
  assert.deepEqual((await owner.own('GET', '/invitations')).json.data, [])
})

test('whoever owns an account with others hands it over before they delete themselves', async () => {
  const owner = await openConsolePerson(service)
  const member = await join(owner, 'developer')
  const removal = { password: PASSWORD }
  const refused = await owner.ask('DELETE', '/person', removal)
  assert.match(assertRefused(refused, 'conflict'), new RegExp(`last owner of ${owner.accountId}`))
  // Nothing of them is gone.
  assert.equal((await owner.own('GET', '/standing')).status, 200)
  await owner.own('PATCH', `/members/${member.personId}`, { role: 'owner' })
  assert.equal((await owner.ask('DELETE', '/person', removal)).status, 204)
  const account = (await operate(service, 'GET', `/accounts/${owner.accountId}`)).json
  assert.deepEqual([account.email, account.suspended], [member.email, false])
  assert.deepEqual(
    (await at(member, owner.accountId)('GET', '/members')).json.data.map(({ email }) => email),
    [member.email],
  )
})

test('the operator sees the members, and a member who deletes themselves is gone from there', async () => {
  const owner = await openConsolePerson(service)
  const member = await join(owner, 'billing')
  const read = async () =>
    (await operate(service, 'GET', `/accounts/${owner.accountId}/members`)).json.data.map(
      ({ email, role }) => [email, role],
    )
  assert.deepEqual(await read(), [
    [owner.email, 'owner'],
    [member.email, 'billing'],
  ])
  assert.equal((await member.ask('DELETE', '/person', { password: PASSWORD })).status, 204)
  assert.deepEqual(await read(), [[owner.email, 'owner']])
})

test('alerts go to owners and to those who pay, once each', async () => {
  const owner = await openConsolePerson(service)
  const billing = await join(owner, 'billing')
  const developer = await join(owner, 'developer')
  await owner.own('PUT', '/alerts', { low_balance_eur: '0.99999', ceiling: true })
  const { json: made } = await owner.own('POST', '/keys', { name: 'spends' })
  const before = service.mailer.mails.length
  for (let count = 0; count < 3; count += 1) await chat(service, made.key, 'nova', hello)
  await service.app.alerts.look()
  const told = service.mailer.mails.slice(before)
  assert.deepEqual(told.map(({ to }) => to).toSorted(), [billing.email, owner.email].toSorted())
  assert.ok(!told.some(({ to }) => to === developer.email))
})

test('a member of another account can be an owner there, and nothing follows for their own', async () => {
  const [one, other] = [await openConsolePerson(service), await openConsolePerson(service)]
  await accept(one, other, 'owner')
  assertRefused(await at(one, other.accountId)('GET', '/standing'), 'not_found')
  assert.equal((await at(other, one.accountId)('GET', '/keys')).status, 200)
})
