import { call, chat, hello, operate, type OpenedAccount } from './call.ts'
import type { Service } from './service.ts'

/** One of each thing that an operation can be asked about. */
export interface Places extends OpenedAccount {
  readonly personId: string
  readonly clientId: string
  readonly kid: string
  readonly topupId: string
  readonly requestId: string
  /** The person's, who is the account's only member. */
  readonly memberId: string
  readonly invitationId: string
}

/** An account with its person, and beside them an app and a signing key that does not sign yet. */
export async function openPlaces(service: Service, account: OpenedAccount): Promise<Places> {
  const { email } = (await operate(service, 'GET', `/accounts/${account.accountId}`)).json
  const people = await operate(service, 'GET', `/people?email=${encodeURIComponent(email)}`)
  const client = await operate(service, 'POST', '/clients', {
    name: 'An app',
    kind: 'confidential',
    redirect_uris: ['https://app.example.com/callback'],
  })
  // So that the other one is not the one that signs.
  await operate(service, 'POST', '/signing-keys', { signs_after_s: 0 })
  const next = await operate(service, 'POST', '/signing-keys', {})
  const topupId = await payIn(service, account.accountId)
  return {
    ...account,
    topupId,
    requestId: 'req_1',
    personId: people.json.data[0].id,
    memberId: people.json.data[0].id,
    invitationId: 'inv_1',
    clientId: client.json.client_id,
    kid: next.json.kid,
  }
}

/** A top-up that was paid, so that there is something to refund, and a receipt. */
async function payIn(service: Service, accountId: string): Promise<string> {
  const { json } = await operate(service, 'POST', `/accounts/${accountId}/topups`, {
    amount_eur: '20.00',
  })
  await service.app.payments?.sandbox?.play(`cs_test_${json.id}`, 'pay')
  return json.id
}

/** The same for somebody who is signed in: what has an owner is theirs. */
export async function openOwnPlaces(
  service: Service,
  places: Places,
  session: Readonly<Record<string, string>>,
): Promise<Places> {
  const { json } = await call(service, 'GET', '/console/api/accounts', { headers: session })
  const accountId: string = json.data[0].id
  const topupId = await payIn(service, accountId)
  const path = `/console/api/accounts/${accountId}`
  const created = await call(service, 'POST', `${path}/keys`, {
    headers: session,
    body: { name: 'own' },
  })
  const { id: keyId, key } = created.json
  await chat(service, key, 'air', hello)
  const listed = await call(service, 'GET', `${path}/requests`, { headers: session })
  const person = await call(service, 'GET', '/console/api/person', { headers: session })
  const invited = await call(service, 'POST', `${path}/invitations`, {
    headers: session,
    body: { email: 'invited@example.com', role: 'read_only' },
  })
  return {
    ...places,
    accountId,
    topupId,
    keyId,
    key,
    requestId: listed.json.data[0].request_id,
    memberId: person.json.id,
    invitationId: invited.json.id,
  }
}

/** The address of an operation, with these in it. */
export function fillPath(path: string, places: Omit<Places, 'key'>): string {
  return path
    .replace('{account_id}', places.accountId)
    .replace('{key_id}', places.keyId)
    .replace('{person_id}', places.personId)
    .replace('{client_id}', places.clientId)
    .replace('{kid}', places.kid)
    .replace('{topup_id}', places.topupId)
    .replace('{request_id}', places.requestId)
    .replace('{member_id}', places.memberId)
    .replace('{invitation_id}', places.invitationId)
    .replace('{session_id}', 'row_1')
    .replace('{connected_client_id}', 'app_1')
    .replace('{brand}', 'prime')
}
