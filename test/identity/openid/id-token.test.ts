import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { after, before, test } from 'node:test'
import * as client from 'openid-client'
import * as oauth from 'oauth4webapi'
import { createRelyingParty } from '../../support/identity/relying-party.ts'
import { createVisitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

type Claims = Record<string, unknown>

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
/** What happens to an id token on its way to the app. */
let mutate: ((token: string) => string) | undefined

const app = await createRelyingParty(service, {
  async fetch(url, options) {
    const response = await fetch(url, options as RequestInit)
    if (!mutate || !url.endsWith('/token')) return response
    const body = (await response.json()) as { id_token: string }
    return Response.json({ ...body, id_token: mutate(body.id_token) })
  },
})
client.enableNonRepudiationChecks(app.config)
const ana = createVisitor(service)

before(async () => {
  await ana.signUp('ana@example.com', 'Ana')
  await ana.signIn('ana@example.com')
})

function readPart(token: string, part: 0 | 1): Claims {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Claims
}

const write = (part: Claims): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signed by somebody, or not at all. */
function forge(
  token: string,
  changes: { head?: Claims; claims?: Claims; key?: KeyObject } = {},
): string {
  const [, , signature = ''] = token.split('.')
  const head = write({ ...readPart(token, 0), ...changes.head })
  const body = `${head}.${write({ ...readPart(token, 1), ...changes.claims })}`
  if (!changes.key) return `${body}.${signature}`
  return `${body}.${createSign('sha256').update(body).sign(changes.key, 'base64url')}`
}

test('an id token of ours passes all that a client checks, and says only who and when', async () => {
  mutate = undefined
  const tokens = await app.connect(ana)
  const claims = tokens.claims()
  const known = ['aud', 'exp', 'iat', 'iss', 'nonce', 'sub']
  assert.deepEqual(Object.keys(claims ?? {}).toSorted(), known)
  assert.deepEqual([claims?.iss, claims?.aud], [service.origin, 'chat'])
  assert.equal(Number(claims?.exp) - Number(claims?.iat), 3_600)
  assert.deepEqual(Object.keys(readPart(tokens.id_token ?? '', 0)).toSorted(), ['alg', 'kid'])
})

const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const now = Math.floor(Date.now() / 1_000)

const FORGERIES: Readonly<Record<string, (token: string) => string>> = {
  'of another audience': (token) => forge(token, { claims: { aud: 'other' } }),
  'of two audiences': (token) => forge(token, { claims: { aud: ['chat', 'other'] } }),
  'of another issuer': (token) => forge(token, { claims: { iss: 'https://evil.example' } }),
  'that has expired': (token) => forge(token, { claims: { exp: now - 3_600, iat: now - 7_200 } }),
  'of another nonce': (token) => forge(token, { claims: { nonce: 'other' } }),
  'without a nonce': (token) => forge(token, { claims: { nonce: undefined } }),
  'of another person': (token) => forge(token, { claims: { sub: 'per_other' } }),
  'signed by another key': (token) => forge(token, { key: other }),
  'of a key that is not ours': (token) => forge(token, { head: { kid: 'other' }, key: other }),
  'signed by nobody': (token) =>
    `${forge(token, { head: { alg: 'none' } })
      .split('.', 2)
      .join('.')}.`,
  'with a bit of its signature changed': (token) =>
    `${token.slice(0, -6)}${token.at(-6) === 'A' ? 'B' : 'A'}${token.slice(-5)}`,
}

for (const [what, change] of Object.entries(FORGERIES)) {
  test(`a client refuses an id token ${what}`, async () => {
    mutate = change
    await assert.rejects(app.connect(ana), (error: Error) => {
      assert.ok(
        error instanceof client.ClientError || error instanceof oauth.OperationProcessingError,
        String(error),
      )
      return true
    })
    mutate = undefined
  })
}

test('a client refuses an answer of another issuer, or to another question', async () => {
  const begun = await app.begin()
  const { callback } = await app.visit(ana, begun)
  assert.ok(callback)
  for (const [name, value] of [
    ['iss', 'https://evil.example'],
    ['state', 'other'],
  ] as const) {
    const changed = new URL(callback)
    changed.searchParams.set(name, value)
    await assert.rejects(app.redeem(begun, changed), client.ClientError)
  }
  assert.ok((await app.redeem(begun, callback)).id_token)
})
