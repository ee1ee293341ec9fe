import type { TestContext } from 'node:test'
import { createPersons } from '#accounts/index.ts'
import { createId } from '#platform/ids.ts'
import { nano, NANO_PER_EURO } from '#platform/money.ts'
import type { Mail } from '#platform/mail/index.ts'
import type { Engine } from '#platform/store/index.ts'
import { openAccount, operate } from '../support/call.ts'
import { openEmptyStore } from '../support/each-engine.ts'
import { bookCharge, makeCharge } from '../support/open-ledger.ts'
import { serveFor, type Service, type ServiceOptions } from '../support/service.ts'

/** A service on a store of this kind; on PostgreSQL more of them can be started on the same. */
export async function serveOn(
  t: TestContext,
  engine: Engine,
): Promise<{ readonly service: Service; readonly options: ServiceOptions }> {
  const { store, databaseUrl } = await openEmptyStore(t, engine)
  await store.close()
  const options = databaseUrl === undefined ? { embedded: true as const } : { databaseUrl }
  return { service: await serveFor(t, options), options }
}

export interface Reader {
  readonly accountId: string
  readonly personId: string
  readonly email: string
}

export function personsOf({ store, app, clock }: Service) {
  const onChange = { account: () => {}, key: () => {} }
  return createPersons({ store, ledger: app.ledger, clock, onChange })
}

/** An account with its free 1.00 € and a deposit, whose person's address is confirmed. */
export async function openReader(
  service: Service,
  options: { readonly depositEur?: string; readonly daily_ceiling_eur?: string } = {},
): Promise<Reader & { readonly key: string }> {
  const { accountId, key } = await openAccount(service, options)
  const { email } = (await operate(service, 'GET', `/accounts/${accountId}`)).json
  const people = await operate(service, 'GET', `/people?email=${encodeURIComponent(email)}`)
  const personId = people.json.data[0].id
  await personsOf(service).confirmAddress(personId)
  return { accountId, personId, email, key }
}

/** Books a charge of so many euros. */
export async function spend({ app }: Service, accountId: string, euros: number): Promise<void> {
  const cost = nano(Math.round(euros * NANO_PER_EURO))
  await bookCharge(app.ledger, makeCharge(accountId, createId('req'), { cost }))
}

export async function give(service: Service, accountId: string, amountEur: string): Promise<void> {
  await operate(service, 'POST', `/accounts/${accountId}/credits`, {
    kind: 'grant',
    amount_eur: amountEur,
    reference: createId('row'),
  })
}

/** What somebody was told so far, after one more look. */
export async function mailsTo(service: Service, email: string): Promise<Mail[]> {
  await service.app.alerts.look()
  return service.mailer.mails.filter(({ to }) => to === email)
}

export async function subjectsTo(service: Service, email: string): Promise<string[]> {
  return (await mailsTo(service, email)).map(({ subject }) => subject.split(' / ')[0] ?? '')
}
