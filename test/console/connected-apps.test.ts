import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { call } from '../support/call.ts'
import { askUserInfo } from '../support/identity/ask-userinfo.ts'
import { writeSession } from '../support/identity/credentials.ts'
import { servePeople, signedIn } from '../support/identity/people.ts'
import { createRelyingParty } from '../support/identity/relying-party.ts'
import { runCodeFlow } from '../support/identity/run-code-flow.ts'

const service = await servePeople({ after })
const chat = await createRelyingParty(service)

test('a person sees the apps that know them, the command among them, and takes it back', async () => {
  const ana = await signedIn(service)
  const headers = writeSession(ana, service)
  const tokens = await chat.connect(ana, { scope: 'openid email offline_access' })
  const command = { clientId: 'parley-cli', redirectUri: 'http://127.0.0.1:4999/callback' }
  const { body } = await runCodeFlow(service, ana, command)
  const list = async () =>
    (await call(service, 'GET', '/console/api/connected-apps', { headers })).json.data
  assert.deepEqual(
    new Set((await list()).map(({ name }) => name)),
    new Set(['The app chat', 'The parley command']),
  )

  const bia = await signedIn(service)
  const revoke = (clientId: string, by = headers) =>
    call(service, 'DELETE', `/console/api/connected-apps/${clientId}`, { headers: by })
  assertRefused(await revoke('chat', writeSession(bia, service)), 'not_found')
  assertRefused(await revoke('%00'), 'not_found')
  assert.equal((await revoke('chat')).status, 204)
  assert.equal((await askUserInfo(service, tokens.access_token)).status, 401)
  assert.equal((await askUserInfo(service, String(body.access_token))).status, 200)
  assert.equal((await revoke('parley-cli')).status, 204)
  assert.equal((await askUserInfo(service, String(body.access_token))).status, 401)
  assert.deepEqual(await list(), [])
  assertRefused(await revoke('chat'), 'not_found')
})
