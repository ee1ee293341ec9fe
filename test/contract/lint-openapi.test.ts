import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { createContract } from '#api/contract/index.ts'

interface Finding {
  readonly rule: string
  readonly place: string
}

/** What its recommended rules find in a document. */
async function lint(document: object): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  return problems.map(({ ruleId, location: [where] }) => ({
    rule: ruleId,
    place: String(where?.pointer),
  }))
}

/** Known, and as they should be. */
const EXPECTED: readonly Finding[] = [
  // The document itself is read by anybody and takes nothing: there is nothing to refuse.
  { rule: 'operation-4xx-response', place: '#/paths/~1v1~1openapi.json/get/responses' },
  // Named by `x-event`, for OpenAPI 3.1 has no word for the events of a stream.
  { rule: 'no-unused-components', place: '#/components/schemas/ChatCompletionChunk' },
]

test('the document is what linters expect of a good one', async () => {
  const found = await lint(createContract('svc').openapi('https://api.parley.test'))
  assert.deepEqual(found, EXPECTED)
})

test('a document that says nothing of an operation is found out', async () => {
  const document = createContract('svc').openapi('https://api.parley.test')
  const paths = { '/x': { get: { responses: { 200: { description: 'x' } } } } }
  const found = await lint({ ...document, paths })
  assert.ok(
    found.some(({ rule }) => rule === 'operation-operationId'),
    JSON.stringify(found),
  )
})
