import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { PaymentTables } from '../../src/payments/tables.ts'
import { operate } from '../support/call.ts'
import { readMailedToken } from '../support/browser/people.ts'
import { createPageVisitor, type PageVisitor } from '../support/identity/page-visitor.ts'
import { PASSWORD } from '../support/identity/visitor.ts'
import { serveFor } from '../support/service.ts'

const SELLER = { name: 'Example & Co', address: 'Rua 1\nLisboa', vatId: 'PT123', vatRate: 23 }
const service = await serveFor(
  { after },
  { identity: true, trustedProxies: ['127.0.0.1'], seller: SELLER },
)
const { issuer } = service.app.identity

async function signIn(email: string, name = 'Ana <b>'): Promise<PageVisitor> {
  const visitor = createPageVisitor(service)
  await visitor.send('/sign-up', { name, email, password: PASSWORD })
  await visitor.send(`/verify-email?token=${await readMailedToken(service, email)}`, {})
  assert.equal((await visitor.send('/sign-in', { email, password: PASSWORD })).status, 303)
  return visitor
}

/** Presses one of the four buttons, and answers where that leads. */
async function openCheckout(visitor: PageVisitor, amount = '20.00'): Promise<string> {
  const { text } = await visitor.get('/account')
  const [, accountId = ''] = /name="account_id" value="([^"]+)"/.exec(text) ?? []
  const sent = { account_id: accountId, amount_eur: amount }
  const onward = await visitor.send('/account/topups', sent)
  assert.equal(onward.status, 200)
  const [, to = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(onward.text) ?? []
  return new URL(to).pathname
}

/** Presses a button of the sandbox's page as it is shown. */
async function play(visitor: PageVisitor, path: string, act: string): Promise<string> {
  const { text } = await visitor.get(path)
  const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(text) ?? []
  const { status, headers } = await visitor.send(path, { act, seen })
  assert.equal(status, 303)
  const to = headers.get('location') ?? ''
  assert.ok(to.startsWith(`${path}?notice=`), to)
  return (await visitor.get(to)).text
}

const listActs = (text: string): string[] =>
  [...text.matchAll(/name="act" value="(\w+)"/g)].map(([, act = '']) => act)

async function readNumbers(visitor: PageVisitor): Promise<string[]> {
  const { text } = await visitor.get('/account')
  return [...text.matchAll(/href="\/documents\/([^"]+)"/g)].map(([, number = '']) => number)
}

test('from the account page to a receipt, by links and buttons alone', async () => {
  const visitor = await signIn('ana@example.com')
  const path = await openCheckout(visitor)
  const open = (await visitor.get(path)).text
  assert.match(open, /Test money/)
  assert.match(open, /€20/)
  assert.deepEqual(listActs(open), ['pay', 'pay_later', 'decline', 'expire'])
  assert.match(await play(visitor, path, 'decline'), /declined/)
  const paid = await play(visitor, path, 'pay')
  assert.match(paid, /The payment succeeded/)
  assert.deepEqual(listActs(paid), ['refund_half', 'refund', 'dispute'])
  const [, back = ''] = /<a href="([^"]+\?topup=[^"]+)"/.exec(paid) ?? []
  assert.ok(back.startsWith(`${issuer}/account?topup=`))
  const account = (await visitor.get(back.replace(issuer, ''))).text
  assert.match(account, /€20 was paid in/)
  assert.match(account, /€21/)
  const [number = ''] = await readNumbers(visitor)
  const { text: receipt, headers } = await visitor.get(`/documents/${number}`)
  assert.equal(headers.get('cache-control'), 'no-store')
  for (const said of [number, 'Example &amp; Co', 'PT123', '€16.26', '€3.74', '€20.00', '23%']) {
    assert.ok(receipt.includes(said), said)
  }
  assert.match(receipt, /Ana &lt;b&gt;, ana@example\.com/)
  assert.match(receipt, /data-stamp="Test money"/)
  await play(visitor, path, 'refund_half')
  const note = (await readNumbers(visitor)).find((one) => one.startsWith('C-'))
  const credit = (await visitor.get(`/documents/${note}?lang=pt`)).text
  for (const said of [
    'Nota de crédito',
    number,
    '10,00\u00a0€',
    '1,87\u00a0€',
    'Dinheiro de teste',
  ]) {
    assert.ok(credit.includes(said), said)
  }
})

test('a paper is for whoever owns the account and for operators, and for nobody else', async () => {
  const [owner, stranger] = [
    await signIn('owner@example.com'),
    await signIn('stranger@example.com'),
  ]
  const path = await openCheckout(owner)
  await play(owner, path, 'pay')
  const [number = ''] = await readNumbers(owner)
  const address = `/documents/${number}`
  assert.equal((await owner.get(address)).status, 200)
  assert.equal((await stranger.get(address)).status, 404)
  const asked = await createPageVisitor(service).get(address)
  const signInPage = `/sign-in?next=${encodeURIComponent(address)}`
  assert.deepEqual([asked.status, asked.headers.get('location')], [303, signInPage])
  const visitor = createPageVisitor(service)
  const credentials = { email: 'owner@example.com', password: PASSWORD }
  const signed = await visitor.send(signInPage, { ...credentials, next: address })
  assert.equal(signed.headers.get('location'), address)
  const people = await operate(service, 'GET', '/people?email=stranger@example.com')
  const { id } = people.json.data[0]
  const promoted = await operate(service, 'PATCH', `/people/${id}`, { role: 'operator' })
  assert.equal(promoted.status, 200)
  assert.equal((await stranger.get(address)).status, 200)
  for (const odd of [
    'R-2026-999999',
    'R-1',
    '%00',
    'x'.repeat(90),
    '..%2Faccount',
    `${number}%00`,
  ]) {
    const { status, text } = await owner.get(`/documents/${odd}`)
    assert.deepEqual([status, text.includes('<html')], [404, true], odd)
  }
})

test('a checkout shows its amount and state to whoever has its address, and nothing else', async () => {
  const owner = await signIn('secret@example.com', 'Secret Name')
  const path = await openCheckout(owner, '50.00')
  const stranger = createPageVisitor(service)
  assert.match(await play(stranger, path, 'pay_later'), /on its way/)
  assert.match(await play(stranger, path, 'arrive'), /The money has arrived/)
  const { text } = await stranger.get(path)
  for (const hidden of ['secret@example.com', 'Secret Name', 'acc_', 'per_']) {
    assert.ok(!text.includes(hidden), hidden)
  }
  for (const nothing of ['cs_test_nothing', '%00', 'x'.repeat(90), '']) {
    const answers = [
      await stranger.get(`/sandbox/checkout/${nothing}`),
      await stranger.send(`/sandbox/checkout/${nothing}`, { act: 'pay' }),
    ]
    for (const { status } of answers) assert.equal(status, 404, nothing)
    assert.match(answers[0]?.text ?? '', /There is nothing here/)
  }
})

test('what cannot be, is told, and changes nothing', async () => {
  const visitor = await signIn('twice@example.com')
  const path = await openCheckout(visitor)
  const seen = 'open-0-undisputed'
  const twice = await Promise.all([1, 2].map(() => visitor.send(path, { act: 'pay', seen })))
  assert.deepEqual(
    twice.map(({ status }) => status),
    [303, 303],
  )
  for (const act of ['pay', 'arrive', 'dispute_won', 'nothing', '', '__proto__']) {
    assert.match(await play(visitor, path, act), /cannot become of this payment/, act)
  }
  assert.match((await visitor.get('/account')).text, /€21/)
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
    const { status } = await visitor.send(path, { act: 'refund' }, headers)
    assert.equal(status, 400)
  }
  assert.equal((await readNumbers(visitor)).length, 1)
})

test('a checkout leads back to our own pages alone', async () => {
  const visitor = await signIn('back@example.com')
  const path = await openCheckout(visitor)
  for (const to of [
    'https://evil.example/',
    `${issuer}.evil.example/`,
    'javascript:alert(1)',
    'x',
  ]) {
    await withTables<PaymentTables>(service.store.db)
      .updateTable('sandbox_payment')
      .set({ return_url: to })
      .where('session_id', '=', path.split('/').at(-1) ?? '')
      .execute()
    assert.doesNotMatch((await visitor.get(path)).text, /Cancel and go back|evil|javascript/)
  }
})

test('coming back tells how it stands, of own top-ups alone', async () => {
  const [one, other] = [await signIn('one@example.com'), await signIn('other@example.com')]
  const path = await openCheckout(one)
  const topupId = path.split('cs_test_').at(-1)
  const read = async (visitor: PageVisitor) => {
    const { text } = await visitor.get(`/account?topup=${topupId}`)
    return /role="status">([^<]+)</.exec(text)?.[1]
  }
  assert.match((await read(one)) ?? '', /has not been paid yet/)
  await play(one, path, 'pay_later')
  assert.match((await read(one)) ?? '', /is on its way/)
  await play(one, path, 'fail')
  assert.match((await read(one)) ?? '', /failed/)
  assert.doesNotMatch((await read(other)) ?? '', /€20/)
})

test("nobody pays into another's account, or another amount, or all day long", async () => {
  const [thief, victim] = [await signIn('thief@example.com'), await signIn('victim@example.com')]
  const readId = async (visitor: PageVisitor) =>
    /name="account_id" value="([^"]+)"/.exec((await visitor.get('/account')).text)?.[1] ?? ''
  const [own, foreign] = [await readId(thief), await readId(victim)]
  for (const [accountId, amount, status] of [
    [foreign, '20.00', 404],
    ['', '20.00', 404],
    ['\0', '20.00', 404],
    [own, '21.00', 400],
    [own, '', 400],
  ] as const) {
    const sent = { account_id: accountId, amount_eur: amount }
    assert.equal((await thief.send('/account/topups', sent)).status, status)
  }
  const sent = { account_id: own, amount_eur: '10.00' }
  for (let count = 0; count < 20; count += 1) await thief.send('/account/topups', sent)
  const { status, text } = await thief.send('/account/topups', sent)
  assert.equal(status, 429)
  assert.match(text, /Try again in 60 minutes/)
  const stranger = await createPageVisitor(service).send('/account/topups', sent)
  assert.equal(stranger.headers.get('location'), '/sign-in?next=%2Faccount')
})
