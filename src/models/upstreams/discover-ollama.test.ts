import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { completeBrands } from '../complete-brands.ts'
import { discoverOllama } from './discover-ollama.ts'

async function startOllama(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answering(body: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

const models = [
  { name: 'old:1b', modified_at: '2025-01-02T10:00:00Z' },
  { name: 'new:7b', modified_at: '2026-05-06T10:00:00Z' },
  { name: 'middle:3b', modified_at: '2025-11-30T10:00:00Z' },
]

test('the model changed last is found', async (t) => {
  const paths: (string | undefined)[] = []
  const url = await startOllama(t, (request, response) => {
    paths.push(request.url)
    answering({ models })(request, response)
  })
  assert.equal(await discoverOllama(url), 'new:7b')
  assert.deepEqual(paths, ['/api/tags'])
})

test('where there is none, or something else answers, nothing is found', async (t) => {
  for (const [body, status] of [
    [{ models: [] }, 200],
    [{ models: 'none' }, 200],
    [{ models: [{ name: 7 }] }, 200],
    [{}, 200],
    [null, 200],
    ['<h1>Hello</h1>', 200],
    ['', 200],
    [{ models }, 404],
    [{ models }, 500],
  ] as const) {
    const url = await startOllama(t, answering(body, status))
    assert.equal(await discoverOllama(url), undefined, JSON.stringify(body))
  }
})

test('where nobody listens, or nobody answers in time, the start is not held up', async (t) => {
  const silent = await startOllama(t, () => {})
  assert.equal(await discoverOllama(silent), undefined)
  const halfway = await startOllama(t, (_request, response) => void response.write('{"models":['))
  assert.equal(await discoverOllama(halfway), undefined)
  const closed = await startOllama(t, (request) => void request.socket.destroy())
  assert.equal(await discoverOllama(closed), undefined)
  assert.equal(await discoverOllama('not an address'), undefined)
})

const own = { kind: 'simulated' } as const
const open = { upstreams: [] }

test('an Ollama that runs here answers for the brands that have no upstream', async (t) => {
  const url = await startOllama(t, answering({ models }))
  const { air, nova } = await completeBrands(
    { air: open, prime: open, nova: { upstreams: [own] } },
    url,
  )
  assert.deepEqual(nova.upstreams, [own])
  assert.deepEqual(air.upstreams, [
    { kind: 'openai', name: 'ollama new:7b', url: `${url}/v1`, model: 'new:7b', apiKey: undefined },
  ])
})

test('without one the simulated model stands in', async (t) => {
  const url = await startOllama(t, answering({}, 404))
  for (const address of [url, undefined]) {
    const { prime } = await completeBrands({ air: open, prime: open, nova: open }, address)
    assert.deepEqual(prime.upstreams, [own])
  }
})

test('where all brands are configured nobody is asked', async (t) => {
  let asked = 0
  const url = await startOllama(t, (request, response) => {
    asked += 1
    answering({ models })(request, response)
  })
  const one = { upstreams: [own] }
  await completeBrands({ air: one, prime: one, nova: one }, url)
  assert.equal(asked, 0)
})

test('limits that are configured replace the defaults, one by one', async () => {
  const brands = await completeBrands(
    { air: { ...open, contextWindow: 9_000 }, prime: { ...open, maxOutputTokens: 77 }, nova: open },
    undefined,
  )
  const limits = Object.values(brands).map((one) => [one.contextWindow, one.maxOutputTokens])
  assert.deepEqual(limits, [
    [9_000, 4_096],
    [262_144, 77],
    [262_144, 8_192],
  ])
})
