import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { discoverOllama } from '../../src/models/upstreams/discover-ollama.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { exchange } from '../contract/raw-exchange.ts'
import { writeRequest } from '../contract/write-request.ts'
import { neverOpens, sayHello, setScene, type Scene } from '../upstreams/scene.ts'

const UPSTREAM_KEY = 'the-key-of-the-upstream'

/** A host that nobody configured: whoever connects to it has been led there. */
interface Decoy {
  readonly host: string
  readonly url: string
  visits(): number
}

async function startDecoy(t: TestContext): Promise<Decoy> {
  let visits = 0
  const server = createServer((socket) => {
    visits += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}/v1`, visits: () => visits }
}

function setGuardedScene(t: TestContext): Promise<Scene> {
  return setScene(t, { settings: { apiKey: UPSTREAM_KEY }, circuit: neverOpens })
}

test('an upstream that redirects is a failed upstream: nobody goes where it points', async (t) => {
  const [scene, decoy] = [await setGuardedScene(t), await startDecoy(t)]
  const targets = [`${decoy.url}/chat/completions`, `//${decoy.host}/v1/chat/completions`]
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    for (const location of targets) {
      const headers = { location, refresh: `0; url=${location}`, 'alt-svc': `h2="${decoy.host}"` }
      scene.upstream.play({ fault: { kind: 'status', status, headers } })
      assertRefused(await scene.ask(), 'upstream_error')
      assertRefused(await scene.stream(), 'upstream_error')
    }
  }
  assert.equal(decoy.visits(), 0)
  // Not to its own addresses either: each call was one request.
  assert.equal(scene.upstream.requests.length, 7 * 2 * 2)
})

test('a redirect is tried on the next upstream, which gets its own credentials alone', async (t) => {
  const spare = await startFakeUpstream()
  t.after(() => spare.close())
  const first = {
    kind: 'openai',
    name: 'leading-away',
    url: spare.url,
    model: 'first-model',
    apiKey: 'the-key-of-the-first',
  } as const
  const scene = await setScene(t, { first: [first], settings: { apiKey: UPSTREAM_KEY } })
  const headers = { location: `${scene.upstream.url}/chat/completions` }
  spare.play({ fault: { kind: 'status', status: 307, headers } })
  assert.equal((await scene.ask()).status, 200)
  const keys = scene.upstream.requests.map(({ headers: sent }) => sent.authorization)
  assert.deepEqual(keys, [`Bearer ${UPSTREAM_KEY}`])
})

/** Header lines that proxies, clients and other gateways take for the address of a host. */
function listHostHeaders({ host, url }: Decoy): string[] {
  return [
    `X-Forwarded-Host: ${host}`,
    `X-Forwarded-For: ${host}`,
    `X-Forwarded-Proto: https`,
    `X-Forwarded-Server: ${host}`,
    `Forwarded: host=${host};for=${host};proto=http`,
    `X-Real-IP: ${host}`,
    `X-Original-URL: ${url}`,
    `X-Rewrite-URL: ${url}`,
    `X-Host: ${host}`,
    `Via: 1.1 ${host}`,
    `Proxy: ${url}`,
    `X-Base-Url: ${url}`,
    `X-Upstream: ${url}`,
    `X-Portkey-Custom-Host: ${url}`,
    `OpenAI-Base-Url: ${url}`,
    `Referer: ${url}`,
    `Origin: ${url}`,
  ]
}

test('no header and no form of address chooses the host that a request goes to', async (t) => {
  const [scene, decoy] = [await setGuardedScene(t), await startDecoy(t)]
  const body = JSON.stringify({ ...sayHello, max_tokens: 5 })
  const length = `Content-Length: ${body.length}\r\n`
  const lines = listHostHeaders(decoy)
  const path = '/v1/chat/prime'
  const variants = [
    { framing: `${lines.join('\r\n')}\r\n${length}` },
    { host: `Host: ${decoy.host}\r\n` },
    { target: `http://${decoy.host}${path}` },
    { target: `https://user:password@${decoy.host}${path}` },
    { target: `${path}?url=${decoy.url}&base_url=${decoy.url}&host=${decoy.host}` },
  ]
  for (const variant of variants) {
    const text = writeRequest({ key: scene.key, target: path, framing: length, body, ...variant })
    const [answer] = await exchange(scene.service, [text], { answers: 1 })
    assert.equal(answer?.status, 200, answer?.text)
  }
  assertLedNowhere(scene, decoy, variants.length)
})

test('no field of a body chooses the host that a request goes to', async (t) => {
  const [scene, decoy] = [await setGuardedScene(t), await startDecoy(t)]
  const { url, host } = decoy
  const names = ['model', 'url', 'base_url', 'api_base', 'host', 'proxy', 'upstream', 'endpoint']
  const fields = Object.fromEntries(names.map((name) => [name, url]))
  const nested = {
    provider: { url, order: [url] },
    extra_body: { base_url: url },
    metadata: fields,
  }
  const linked = {
    messages: [{ role: 'user', content: `Fetch ${url}`, name: url, image_url: { url } }],
    tools: [
      {
        type: 'function',
        function: { name: 'go', description: url, parameters: { $ref: `http://${host}/schema` } },
        server_url: url,
      },
    ],
  }
  for (const body of [fields, nested, linked, { ...fields, stream: true, api_key: 'mine' }]) {
    const answer = await scene.ask({ ...body, max_tokens: 5 })
    assert.equal(answer.status, 200, answer.text)
  }
  assertLedNowhere(scene, decoy, 4)
})

test('a brand that is an address is no brand', async (t) => {
  const [scene, decoy] = [await setGuardedScene(t), await startDecoy(t)]
  const address = encodeURIComponent(decoy.url)
  for (const brand of [address, `..%2f..%2f${address}`, `prime%2f${address}`]) {
    const text = writeRequest({ key: scene.key, target: `/v1/chat/${brand}` })
    const [answer] = await exchange(scene.service, [text], { answers: 1 })
    assertRefused(answer!, 'unknown_model')
  }
  assertLedNowhere(scene, decoy, 0)
})

/** Every request went to the configured upstream, under its own name, model and key. */
function assertLedNowhere({ upstream, key }: Scene, decoy: Decoy, count: number): void {
  assert.equal(decoy.visits(), 0)
  assert.equal(upstream.requests.length, count)
  for (const { path, headers, body } of upstream.requests) {
    assert.equal(path, '/v1/chat/completions')
    assert.equal(headers.host, new URL(upstream.url).host)
    assert.equal(headers.authorization, `Bearer ${UPSTREAM_KEY}`)
    assert.equal(body.model, 'fake-model')
    const names = ['authorization', 'content-length', 'content-type', 'connection', 'host']
    assert.deepEqual(Object.keys(headers).toSorted(), names.toSorted())
    assert.ok(!JSON.stringify([headers, body]).includes(key))
  }
}

test('a redirect of what stands where an Ollama would is not followed', async (t) => {
  const decoy = await startDecoy(t)
  const server = createHttpServer((_request, response) => {
    response.writeHead(302, { location: `http://${decoy.host}/api/tags` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const { port } = server.address() as AddressInfo
  assert.equal(await discoverOllama(`http://127.0.0.1:${port}`), undefined)
  assert.equal(decoy.visits(), 0)
})
