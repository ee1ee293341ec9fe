import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPageVisitor, type PageVisitor } from '../../support/identity/page-visitor.ts'
import { readMailedToken } from '../../support/browser/people.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })

/** The account page lists what the identity room can list. */
const { people } = await service.app.identity.load()
const skip = 'sessions' in people ? false : 'the identity room lists no sessions'

async function signUp(email: string): Promise<void> {
  const visitor = createPageVisitor(service)
  await visitor.send('/sign-up', { name: 'Ana', email, password: PASSWORD })
  await visitor.send(`/verify-email?token=${await readMailedToken(service, email)}`, {})
}

async function signIn(email: string): Promise<PageVisitor> {
  const visitor = createPageVisitor(service)
  assert.equal((await visitor.send('/sign-in', { email, password: PASSWORD })).status, 303)
  return visitor
}

const isSignedIn = async (visitor: PageVisitor): Promise<boolean> =>
  (await visitor.get('/account')).status === 200

test('one other session is ended, and the rest stay', { skip }, async () => {
  await signUp('one@example.com')
  const [here, there, third] = [
    await signIn('one@example.com'),
    await signIn('one@example.com'),
    await signIn('one@example.com'),
  ]
  const { text } = await here.get('/account')
  const ids = [...text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id = '']) => id)
  assert.equal(ids.length, 2)
  // Newest first: the third one's.
  const ended = await here.send('/account/sessions/end', { id: ids[0] ?? '' })
  assert.equal(ended.headers.get('location'), '/account?notice=sessionEnded')
  assert.deepEqual(await Promise.all([here, there, third].map(isSignedIn)), [true, true, false])
})

test('all other sessions are ended at once', { skip }, async () => {
  await signUp('all@example.com')
  const [here, there] = [await signIn('all@example.com'), await signIn('all@example.com')]
  const ended = await here.send('/account/sessions/end-others', {})
  assert.equal(ended.headers.get('location'), '/account?notice=sessionsEnded')
  assert.deepEqual(await Promise.all([here, there].map(isSignedIn)), [true, false])
})

test("nobody ends what is another's, nor what is not there", { skip }, async () => {
  await signUp('victim@example.com')
  await signUp('thief@example.com')
  const victim = await signIn('victim@example.com')
  await signIn('victim@example.com')
  const { text } = await victim.get('/account')
  const [, id = ''] = /name="id" value="([^"]+)"/.exec(text) ?? []
  const thief = await signIn('thief@example.com')
  for (const tried of [id, '', 'row_1', '\0', 'x'.repeat(5_000)]) {
    const { status, headers } = await thief.send('/account/sessions/end', { id: tried })
    assert.deepEqual([status, headers.get('location')], [303, '/account'])
  }
  for (const path of ['/account/passkeys/remove', '/account/apps/revoke']) {
    const sent = { id: 'row_1', client_id: 'nothing' }
    assert.equal((await thief.send(path, sent)).headers.get('location'), '/account')
  }
  assert.match((await victim.get('/account')).text, /Sign out everywhere else/)
})

test('who is signed in nowhere is asked to sign in', async () => {
  const stranger = createPageVisitor(service)
  for (const what of ['sessions/end', 'sessions/end-others', 'apps/revoke', 'passkeys/remove']) {
    const { headers } = await stranger.send(`/account/${what}`, { id: 'x' })
    assert.equal(headers.get('location'), '/sign-in?next=%2Faccount')
  }
})
