import { operate, type OpenedAccount } from './call.ts'
import type { Service } from './service.ts'

/** One of each thing that an operation can be asked about. */
export interface Places extends OpenedAccount {
  readonly personId: string
  readonly clientId: string
  readonly kid: string
  readonly topupId: string
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
  const topup = await operate(service, 'POST', `/accounts/${account.accountId}/topups`, {
    amount_eur: '20.00',
  })
  // So that there is something to refund.
  await service.app.payments?.sandbox?.play(`cs_test_${topup.json.id}`, 'pay')
  return {
    ...account,
    topupId: topup.json.id,
    personId: people.json.data[0].id,
    clientId: client.json.client_id,
    kid: next.json.kid,
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
    .replace('{session_id}', 'row_1')
    .replace('{connected_client_id}', 'app_1')
    .replace('{brand}', 'prime')
}
