import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Response } from 'undici'
import { CHILD_OPERATOR_TOKEN } from '../support/child-service.ts'
import { isPassedOver, NO_NGINX } from './start-nginx.ts'
import { startProxiedFleet, type ProxiedFleet } from './proxied-fleet.ts'

const MIB = 1024 * 1024
const hello = { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }

/** Two replicas behind nginx, with an account's key, and what a caller does with it. */
interface Proxied {
  readonly fleet: ProxiedFleet
  readonly key: string
  ask(changes: object, signal?: AbortSignal): Promise<Response>
}

const proxied = isPassedOver ? undefined : await open()
after(() => proxied?.fleet.close())

async function open(): Promise<Proxied> {
  const fleet = await startProxiedFleet()
  const { key } = await fleet.replicas[0].openAccount('anna')
  return {
    fleet,
    key,
    ask(changes, signal) {
      const body = { ...hello, ...changes }
      return fleet.call('/v1/chat/air', { method: 'POST', key, body, ...(signal && { signal }) })
    },
  }
}

function testBehindNginx(name: string, run: (proxied: Proxied) => Promise<void>): void {
  test(name, async (t) => (proxied ? run(proxied) : t.skip(NO_NGINX)))
}

testBehindNginx(
  'each chunk of a stream is there before the next one is made',
  async ({ fleet, ask }) => {
    const words = ['one ', 'two ', 'three ', 'four']
    const seen = words.map(() => Promise.withResolvers<void>())
    fleet.upstream.play({
      deltas: words,
      pauses: seen.map(({ promise }, index) => ({
        at: `after-delta-${index + 1}`,
        until: promise,
      })),
    })
    const response = await ask({ stream: true })
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (const [index, word] of words.entries()) {
        if (text.includes(JSON.stringify(word))) seen[index]?.resolve()
      }
    }
    assert.match(text, /"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/)
  },
)

testBehindNginx('a caller who leaves ends the reply at the upstream', async ({ fleet, ask }) => {
  const never = Promise.withResolvers<void>()
  fleet.upstream.play({
    content: 'one two three',
    pauses: [{ at: 'after-delta-1', until: never.promise }],
  })
  const asked = fleet.upstream.requests.length
  const leaving = new AbortController()
  const response = await ask({ stream: true }, leaving.signal)
  const reader = response.body?.getReader()
  await reader?.read()
  leaving.abort()
  await (
    await fleet.upstream.request(asked)
  ).aborted
  never.resolve()
})

testBehindNginx(
  'bodies pass as far as the service takes them, and what is too large is told in its words',
  async ({ fleet, ask }) => {
    fleet.upstream.play({ content: 'ok' })
    // What the service knows nothing of is passed over, so this is a short prompt in a large body.
    const sizes = { large: 15 * MIB, tooLarge: 16.5 * MIB, farTooLarge: 20 * MIB }
    const large = await ask({ padding: 'x'.repeat(sizes.large) })
    assert.equal(large.status, 200)
    await large.text()
    for (const size of [sizes.tooLarge, sizes.farTooLarge]) {
      const refused = await ask({ padding: 'x'.repeat(size) })
      assert.equal(refused.status, 400)
      assert.deepEqual(await refused.json(), {
        error: { code: 'invalid_request', message: 'body: must be at most 16 MiB' },
      })
    }
  },
)

testBehindNginx(
  'failures are counted against who calls, whatever they say of their address',
  async ({ fleet }) => {
    const guess = async (from: string, claimed: string): Promise<number> => {
      const agent = fleet.nginx.agent(from)
      const headers = { 'x-forwarded-for': claimed }
      const options = { key: CHILD_OPERATOR_TOKEN.replace('o', 'x'), headers, agent }
      const response = await fleet.call('/operator/v1/accounts', options)
      await response.text()
      return response.status
    }
    // Each replica counts for itself.
    const statuses = new Set<number>()
    for (let tries = 0; tries < 24; tries += 1) {
      statuses.add(await guess('127.0.0.2', `192.0.2.${tries}`))
    }
    assert.deepEqual(statuses, new Set([401, 429]))
    assert.equal(await guess('127.0.0.3', '127.0.0.2'), 401)
  },
)

testBehindNginx('so are attempts to sign in', async ({ fleet }) => {
  const signIn = async (from: string, claimed: string): Promise<number> => {
    const response = await fleet.call('/api/auth/sign-in/email', {
      method: 'POST',
      agent: fleet.nginx.agent(from),
      headers: { 'x-forwarded-for': claimed, origin: fleet.nginx.origin },
      body: { email: `${claimed}@example.com`, password: 'correct horse battery staple' },
    })
    await response.text()
    return response.status
  }
  const statuses: number[] = []
  for (let tries = 0; tries < 12 && !statuses.includes(429); tries += 1) {
    statuses.push(await signIn('127.0.0.4', `192.0.2.${tries}`))
  }
  assert.equal(statuses.at(-1), 429, statuses.join())
  assert.notEqual(await signIn('127.0.0.5', '127.0.0.4'), 429)
})

testBehindNginx('who comes without TLS is sent on to the same place', async ({ fleet }) => {
  const response = await fetch(`${fleet.nginx.plainOrigin}/docs?a=b`, { redirect: 'manual' })
  assert.equal(response.status, 308)
  assert.equal(response.headers.get('location'), 'https://127.0.0.1/docs?a=b')
  await response.text()
})

testBehindNginx('addresses that sign somebody in are in no log', async ({ fleet, key }) => {
  for (const path of ['/link/canary-1', '/reset-password?token=canary-2', '/v1/models']) {
    const response = await fleet.call(path, { key })
    await response.text()
  }
  const log = fleet.nginx.readLog().join('\n')
  assert.match(log, / GET \/v1\/models /)
  assert.doesNotMatch(log, /canary|reset-password/)
})

testBehindNginx(
  'what no replica answers is an error as the interface has them',
  async ({ fleet, ask }) => {
    await Promise.all(fleet.replicas.map(({ child }) => child.kill()))
    const response = await ask({})
    assert.equal(response.status, 502)
    const { error } = (await response.json()) as { readonly error: { readonly code: string } }
    assert.equal(error.code, 'upstream_error')
  },
)
