import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createContract, type Deprecation } from '#api/contract/index.ts'
import { registerOperation } from '../../src/api/http/register-operation.ts'
import { chat, hello, openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const old: Deprecation = {
  operationId: 'listModels',
  since: '2027-01-01',
  sunset: '2027-07-01',
  guide: '/docs/from-v1-to-v2',
}

test('a deprecated operation says so in every reply, with its dates and its guide', async (t) => {
  const server = Fastify()
  t.after(() => server.close())
  const { listModels } = createContract('svc', [old]).public
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('link', '</docs/versioning>; rel="service-doc"')
  })
  registerOperation(server, listModels, {
    onRequest: async ({ headers }, reply) => {
      if (headers.authorization === undefined) await reply.code(401).send()
    },
    handler: () => ({ object: 'list', data: [] }),
  })
  for (const [headers, status] of [
    [{ authorization: 'Bearer x' }, 200],
    [{}, 401],
  ] as const) {
    const reply = await server.inject({ url: listModels.path, headers })
    assert.equal(reply.statusCode, status)
    assert.equal(reply.headers['deprecation'], '@1798761600')
    assert.equal(reply.headers['sunset'], 'Thu, 01 Jul 2027 00:00:00 GMT')
    assert.equal(
      reply.headers['link'],
      '</docs/versioning>; rel="service-doc", </docs/from-v1-to-v2>; rel="deprecation", ' +
        '</docs/from-v1-to-v2>; rel="sunset"',
    )
  }
})

test('the document marks what is deprecated, and its headers, and nothing else', () => {
  const { sunset: _sunset, ...undated } = old
  const document = JSON.stringify(createContract('svc', [undated]).openapi('http://x'))
  const { paths } = JSON.parse(document) as {
    readonly paths: Record<string, Record<string, Record<string, unknown>>>
  }
  const marked = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ deprecated }) => deprecated === true)
  assert.deepEqual(
    marked.map(({ operationId }) => operationId),
    ['listModels'],
  )
  assert.equal(document.split('"#/components/headers/deprecation"').length - 1, 4)
  assert.ok(!document.includes('"#/components/headers/sunset"'))
})

for (const [what, wrong] of [
  ['an operation that there is not', { ...old, operationId: 'noSuch' }],
  ['a day that there is not', { ...old, since: '2027-02-31x' }],
  ['a sunset before the announcement', { ...old, sunset: '2026-12-31' }],
  ['a guide that is elsewhere', { ...old, guide: 'https://example.com' }],
] as const) {
  test(`nothing is served with ${what}`, () => {
    assert.throws(() => createContract('svc', [wrong]), /the deprecation of/)
  })
}

test('nothing is deprecated that has not been announced', async (t) => {
  const service = await serveFor(t)
  const { key } = await openAccount(service)
  const { headers } = await chat(service, key, 'air', hello)
  assert.equal(headers.get('deprecation'), null)
  assert.equal(headers.get('sunset'), null)
  assert.match(headers.get('link') ?? '', /^<[^>]+\/docs\/versioning>; rel="service-doc"$/)
})
