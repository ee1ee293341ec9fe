import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeParameters } from './write-parameters.ts'

test('what a grammar can be made of passes as it is', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'Where', maxLength: 40 },
      unit: { enum: ['c', 'f', null] },
      days: { type: 'array', items: { type: 'integer' }, minItems: 1 },
      inside: { type: 'object', properties: { yes: { type: 'boolean' } } },
    },
  }
  const written = structuredClone(schema) as Record<string, unknown>
  assert.deepEqual(writeParameters(schema), {
    ...written,
    properties: {
      ...schema.properties,
      inside: { ...schema.properties.inside, additionalProperties: false },
    },
    additionalProperties: false,
  })
})

test('what a grammar has no words for allows more, never less', () => {
  const written = writeParameters({
    properties: {
      free: {},
      either: { anyOf: [{ type: 'string' }, { type: 'array', items: {} }] },
      maybe: { type: ['object', 'null'], properties: { a: { const: 1 } } },
      exact: { type: 'string', pattern: '^x$', format: 'email' },
      shared: { $ref: '#/definitions/size' },
    },
    definitions: { size: { type: 'number', minimum: 3 } },
    additionalProperties: { type: 'string' },
  })
  const anything = {
    oneOf: [
      { type: ['string', 'number', 'boolean', 'null'] },
      { type: 'object', additionalProperties: true },
      { type: 'array' },
    ],
  }
  const maybe = { type: 'object', properties: { a: { const: 1 } }, additionalProperties: false }
  assert.deepEqual(written, {
    type: 'object',
    properties: {
      free: anything,
      either: { oneOf: [{ type: 'string' }, { type: 'array', items: anything }] },
      maybe: { oneOf: [maybe, { type: 'null' }] },
      exact: { type: 'string' },
      shared: { $ref: '#/$defs/size' },
    },
    additionalProperties: { type: 'string' },
    $defs: { size: { type: 'number' } },
  })
})

test('arguments are an object whatever a schema says, however deep it goes', () => {
  assert.deepEqual(writeParameters({}), { type: 'object', additionalProperties: true })
  assert.deepEqual(writeParameters({ type: 'string' }), {
    type: 'object',
    additionalProperties: true,
  })
  let deep: Record<string, unknown> = { type: 'string' }
  for (let depth = 0; depth < 10_000; depth += 1) {
    deep = { type: 'object', properties: { deep } }
  }
  assert.ok(JSON.stringify(writeParameters(deep)).length < 10_000)
})
