import assert from 'node:assert/strict'
import { nano } from '#platform/money.ts'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../src/identity/tables.ts'
import { call, chat, hello, openAccount, openAccountWith, operate } from '../support/call.ts'
import { writeSession } from '../support/identity/credentials.ts'
import { post, signedIn } from '../support/identity/people.ts'
import { registerClient } from '../support/identity/register-client.ts'
import { runCodeFlow } from '../support/identity/run-code-flow.ts'
import { readCode } from '../support/identity/totp.ts'
import { PASSWORD } from '../support/identity/visitor.ts'
import { idOf } from '../support/old-months.ts'
import { bookCharge, makeCharge } from '../support/open-ledger.ts'
import type { Service } from '../support/service.ts'
import type { ReleasedStore } from './released-store.ts'

const APP = { clientId: 'chat', redirectUri: 'https://app.example.com/callback' }
const [ANA, BRUNO] = ['ana@example.com', 'bruno@example.com']

type Filled = Pick<ReleasedStore, 'keys' | 'people' | 'app'>

/** Something in every table that a service comes to have, on some days of three months. */
export async function fillStore(service: Service): Promise<Filled> {
  const ana = await signedIn(service, ANA)
  await registerClient(service, { ...APP, kind: 'public', redirectUris: [APP.redirectUri] })
  const { body } = await runCodeFlow(service, ana, APP)
  assert.ok(body.refresh_token)
  const headers = writeSession(ana, service)
  const { data } = (await call(service, 'GET', '/console/api/accounts', { headers })).json
  const accountId: string = data[0].id
  await payIn(service, accountId, headers)
  const path = `/accounts/${accountId}`
  const paying = await operate(service, 'POST', `${path}/keys`, {
    name: 'production',
    daily_ceiling_eur: '10.00',
  })
  const revoked = await operate(service, 'POST', `${path}/keys`, { name: 'old' })
  await operate(service, 'DELETE', `${path}/keys/${revoked.json.id}`)
  await operate(service, 'PATCH', path, { daily_ceiling_eur: '15.00' })
  await chargeOldMonths(service, accountId, paying.json.id)
  for (const brand of ['air', 'prime', 'nova']) {
    const answer = await chat(service, paying.json.key, brand, hello)
    assert.equal(answer.status, 200, answer.text)
  }
  await fillOthers(service)
  return {
    keys: { paying: paying.json.key, revoked: revoked.json.key, accountId },
    people: { ana: ANA, bruno: BRUNO, totpUri: await secureBruno(service) },
    app: APP,
  }
}

/** A paid top-up with its receipt, part of it taken back, and one that nobody paid. */
async function payIn(
  service: Service,
  accountId: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const open = async (amount: string) => {
    const body = { amount_eur: amount }
    const path = `/console/api/accounts/${accountId}/topups`
    const { json } = await call(service, 'POST', path, { headers, body })
    return new URL(json.checkout_url).pathname.split('/').at(-1) ?? ''
  }
  const paid = await open('50.00')
  await service.app.payments?.sandbox?.play(paid, 'pay')
  await service.app.payments?.sandbox?.play(paid, 'refund_half')
  await open('20.00')
}

async function chargeOldMonths(service: Service, accountId: string, keyId: string): Promise<void> {
  const { clock } = service
  const endMs = clock.nowMs()
  for (const month of [8, 9, 10]) {
    for (const day of [1, 15]) {
      clock.set(Date.UTC(2026, month, day, 12))
      const id = idOf(clock.nowMs())
      const brand = day === 1 ? 'air' : 'nova'
      const of = { keyId, brand, model: `svc-${brand}-v1`, createdAtMs: clock.nowMs() }
      const made = makeCharge(accountId, id, { ...of, cost: nano(1_234_567 + month) })
      await bookCharge(service.app.ledger, made)
    }
  }
  clock.set(endMs)
}

/** Accounts in every state, and a brand that is off. */
async function fillOthers(service: Service): Promise<void> {
  const poor = await openAccountWith(service, '0.000002')
  const { accountId, keyId } = poor
  const dear = makeCharge(accountId, idOf(service.clock.nowMs()), { keyId, cost: nano(9_000) })
  await bookCharge(service.app.ledger, dear)
  await openAccount(service, { suspended: true })
  await openAccount(service, { depositEur: '120.00', min_tier: 3 })
  await operate(service, 'PATCH', '/models/nova', { enabled: false })
}

async function secureBruno(service: Service): Promise<string> {
  const bruno = await signedIn(service, BRUNO)
  const { body } = await post(bruno, '/two-factor/enable', { password: PASSWORD })
  const { totpURI } = body as { readonly totpURI: string }
  const code = readCode(totpURI, Date.now())
  const { status } = await post(bruno, '/two-factor/verify-totp', { code })
  assert.equal(status, 200)
  // As if the half minute of that code were long over.
  const db = withTables<IdentityTables>(service.store.db)
  await db.updateTable('two_factor').set({ last_step: null }).execute()
  return totpURI
}
