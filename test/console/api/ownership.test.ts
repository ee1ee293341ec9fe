import { after, test } from 'node:test'
import { createContract, type Operation } from '#api/contract/index.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, openAccount } from '../../support/call.ts'
import { fillPath, openOwnPlaces, openPlaces } from '../../support/fill-path.ts'
import { signInSomebody, writeSession } from '../../support/identity/credentials.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true })
const places = await openPlaces(service, await openAccount(service, { depositEur: '20' }))

async function openPerson() {
  const session = writeSession(await signInSomebody(service), service)
  return { session, own: await openOwnPlaces(service, places, session) }
}

const [one, other] = [await openPerson(), await openPerson()]
const operations: readonly Operation[] = createContract('svc').operations

/** What hangs on an account, and has an id of its own. A brand is nobody's. */
const nested = operations.filter(
  ({ auth, path }) => auth === 'session' && /\{account_id\}.*\{(?!brand\b)\w+\}/.test(path),
)

for (const operation of nested) {
  test(`${operation.id} is 404 for what is of another account, at one's own account too`, async () => {
    for (const [mine, { keyId, requestId, memberId, invitationId }] of [
      [one, other.own],
      [other, one.own],
      [one, places],
    ] as const) {
      const foreign = { keyId, requestId, memberId, invitationId }
      const path = fillPath(operation.path, { ...mine.own, ...foreign })
      const [example] = Object.values(operation.body?.examples ?? {})
      const answer = await call(service, operation.method.toUpperCase(), path, {
        headers: mine.session,
        ...(example !== undefined && { body: example }),
      })
      assertRefused(answer, 'not_found')
    }
  })
}
