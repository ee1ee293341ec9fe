import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as client from 'openid-client'
import { createVisitor } from '../support/identity/visitor.ts'
import { registerClient } from '../support/identity/register-client.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: true })
const REDIRECT_URI = 'https://app.example.com/callback'
await registerClient(service, { clientId: 'chat', kind: 'public', redirectUris: [REDIRECT_URI] })

test('an app learns who signed in, and what their plan is now', async () => {
  const config = await client.discovery(new URL(service.origin), 'chat', undefined, client.None(), {
    // oxlint-disable-next-line typescript/no-deprecated -- Deprecated only to stand out; this is loopback.
    execute: [client.allowInsecureRequests],
  })
  const visitor = createVisitor(service)
  await visitor.signUp('ana@example.com', 'Ana')
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email plano',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'some state',
  })
  const visit = await visitor.authorize(url, { onSignIn: () => visitor.signIn('ana@example.com') })
  assert.ok(visit.callback, visit.trail.join('\n') + visit.last.text)
  const tokens = await client.authorizationCodeGrant(config, visit.callback, {
    pkceCodeVerifier: verifier,
    expectedState: 'some state',
  })
  const { sub = '' } = tokens.claims() ?? {}
  const { plano, email } = await client.fetchUserInfo(config, tokens.access_token, sub)
  assert.deepEqual([plano, email], ['FREE', 'ana@example.com'])
})
