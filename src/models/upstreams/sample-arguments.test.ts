import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleArguments } from './sample-arguments.ts'

/** What is made for one required property of that schema. */
function sample(schema: unknown): unknown {
  const text = sampleArguments({ properties: { it: schema }, required: ['it'] })
  return (JSON.parse(text) as { it?: unknown }).it
}

test('a tool without parameters gets an empty object', () => {
  assert.equal(sampleArguments(undefined), '{}')
  assert.equal(sampleArguments({}), '{}')
  assert.equal(sampleArguments({ type: 'object', properties: { q: { type: 'string' } } }), '{}')
})

test('each type has a plain value', () => {
  assert.equal(sample({ type: 'string' }), 'example it')
  assert.equal(sample({ type: 'integer' }), 1)
  assert.equal(sample({ type: 'number' }), 1)
  assert.equal(sample({ type: 'boolean' }), true)
  assert.equal(sample({ type: 'null' }), null)
  assert.deepEqual(sample({ type: 'array', items: { type: 'string' } }), [])
  assert.deepEqual(sample({ type: 'object' }), {})
})

test('a constant, the first of a list, a minimum and the first of several types are kept to', () => {
  assert.equal(sample({ const: null }), null)
  assert.equal(sample({ const: 'fixed', enum: ['other'] }), 'fixed')
  assert.equal(sample({ type: 'string', enum: ['celsius', 'kelvin'] }), 'celsius')
  assert.equal(sample({ type: 'integer', minimum: 18 }), 18)
  assert.equal(sample({ type: 'integer', minimum: '18' }), 1)
  assert.equal(sample({ type: ['integer', 'null'] }), 1)
})

test('objects within objects get what they require', () => {
  const place = { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] }
  assert.deepEqual(sample(place), { lat: 1 })
})

test('an unknown type, or none, is taken for a text', () => {
  for (const schema of [{}, { type: 'date' }, { type: 7 }, null, 'string', true, undefined]) {
    assert.equal(sample(schema), 'example it')
  }
})

test('a schema that makes no sense still gives JSON', () => {
  for (const schema of [
    { required: 'it' },
    { required: [7, null, 'it'] },
    { properties: null, required: ['it'] },
    { properties: [], required: ['__proto__', 'constructor'] },
  ]) {
    assert.doesNotThrow(() => JSON.parse(sampleArguments(schema)), JSON.stringify(schema))
  }
})

test('a schema that nests for ever comes to an end', () => {
  const endless: Record<string, unknown> = { type: 'object', required: ['it'] }
  endless['properties'] = { it: endless }
  assert.ok(sampleArguments(endless).length < 200)
})
