import assert from 'node:assert/strict'
import test from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { Type } from 'typebox'
import { findProblems, type JsonSchema } from './index.ts'

/** The contract's ChatRequest with small bounds, so that random values meet them. */
const bounds = { messages: 4, tools: 2, calls: 2, content: 5, id: 3, name: 3, arguments: 4 }

const content = Type.String({ minLength: 1, maxLength: bounds.content })
const isFunction = Type.Optional(Type.Literal('function', { default: 'function' }))

const ToolCall = Type.Object({
  id: Type.String({ minLength: 1, maxLength: bounds.id }),
  type: isFunction,
  function: Type.Object({
    name: Type.String({ minLength: 1, maxLength: bounds.name }),
    arguments: Type.Optional(Type.String({ maxLength: bounds.arguments })),
  }),
})

const Message = Type.Union(
  [
    Type.Object({ role: Type.Literal('system'), content }),
    Type.Object({ role: Type.Literal('user'), content }),
    Type.Object({
      role: Type.Literal('assistant'),
      content: Type.Optional(Type.Union([Type.String({ maxLength: bounds.content }), Type.Null()])),
      tool_calls: Type.Optional(Type.Array(ToolCall, { maxItems: bounds.calls })),
    }),
    Type.Object({
      role: Type.Literal('tool'),
      content: Type.String({ maxLength: bounds.content }),
      tool_call_id: Type.String({ minLength: 1, maxLength: bounds.id }),
    }),
  ],
  { discriminator: { propertyName: 'role' } },
)

const Tool = Type.Object({
  type: isFunction,
  function: Type.Object({
    name: Type.String({ minLength: 1, maxLength: bounds.name }),
    description: Type.Optional(Type.String({ maxLength: bounds.content })),
    parameters: Type.Optional(Type.Object({}, { additionalProperties: true })),
  }),
})

const ChatRequest = Type.Object({
  messages: Type.Array(Message, { minItems: 1, maxItems: bounds.messages }),
  tools: Type.Optional(Type.Array(Tool, { maxItems: bounds.tools })),
  stream: Type.Optional(Type.Boolean({ default: false })),
  max_tokens: Type.Optional(Type.Integer({ minimum: 1 })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
})

/** The same schema in the words Ajv needs for the rules that JSON Schema does not have. */
function translateForAjv(schema: JsonSchema): object {
  const { properties = {}, required = [], items, anyOf, discriminator, ...rest } = schema
  const translated: Record<string, unknown> = { ...rest }
  if (items !== undefined) translated['items'] = translateForAjv(items)
  if (anyOf !== undefined) {
    translated[discriminator === undefined ? 'anyOf' : 'oneOf'] = anyOf.map(translateForAjv)
  }
  // Ajv's discriminator says nothing about a value that is no object.
  if (discriminator !== undefined) Object.assign(translated, { discriminator, type: 'object' })
  if (schema.type !== 'object') return translated
  const entries = Object.entries(properties).map(([name, property]) => {
    const plain = translateForAjv(property)
    return [name, required.includes(name) ? plain : { anyOf: [plain, { type: 'null' }] }]
  })
  return { ...translated, required, properties: Object.fromEntries(entries) }
}

/** Any JSON value, among them those just outside the bounds above. */
const anything = fc.oneof(
  fc.constantFrom(null, true, 0, 1, 2, 2.5, -1, 1.5, 2 ** 53, Infinity, '', 'user', 'function'),
  fc.constantFrom<unknown>([], {}, [null], { role: 'user' }, { role: 'tool', content: '' }),
  fc.string({ unit: 'binary', maxLength: 7 }),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Mostly what was meant, now and then anything. */
const near = <T>(meant: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: meant, weight: 40 }, { arbitrary: anything, weight: 1 })

const text = (minLength: number, maxLength: number) =>
  near(
    fc.oneof(
      { arbitrary: fc.string({ unit: 'binary', minLength, maxLength }), weight: 8 },
      {
        arbitrary: fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d'), maxLength: 7 }),
        weight: 1,
      },
    ),
  )

type Fields = Record<string, fc.Arbitrary<unknown>>

/** An object of these fields, of which the optional ones, and seldom any, may be missing. */
function fields(required: Fields, optional: Fields = {}) {
  const all: Fields = { ...required, ...optional }
  return near(
    fc.oneof(
      { arbitrary: fc.record(all, { requiredKeys: Object.keys(required) }), weight: 40 },
      { arbitrary: fc.record(all, { requiredKeys: [] }), weight: 1 },
    ),
  )
}

const nearName = text(1, bounds.name)
const nearId = text(1, bounds.id)
const nearType = near(fc.constant('function'))
const nearToolCall = fields(
  { id: nearId, function: fields({ name: nearName }, { arguments: text(0, bounds.arguments) }) },
  { type: nearType },
)
const nearContent = text(1, bounds.content)
const nearMessage = fc.oneof(
  fields({ role: near(fc.constantFrom('system', 'user')), content: nearContent }),
  fields(
    { role: fc.constant('assistant') },
    {
      content: near(fc.oneof(text(0, bounds.content), fc.constant(null))),
      tool_calls: near(fc.array(nearToolCall, { maxLength: bounds.calls + 1 })),
    },
  ),
  fields({ role: fc.constant('tool'), content: nearContent, tool_call_id: nearId }),
)
const nearTool = fields(
  {
    function: fields(
      { name: nearName },
      {
        description: text(0, bounds.content),
        parameters: near(fc.dictionary(fc.string(), anything)),
      },
    ),
  },
  { type: nearType },
)
const nearRequest = fields(
  { messages: near(fc.array(nearMessage, { minLength: 1, maxLength: bounds.messages + 1 })) },
  {
    tools: near(fc.array(nearTool, { maxLength: bounds.tools + 1 })),
    stream: near(fc.boolean()),
    max_tokens: near(fc.integer({ min: 1 })),
    temperature: near(fc.double({ min: 0, max: 2, noNaN: true })),
    top_p: anything,
  },
)

const runs = { numRuns: 5000 }

test('TypeBox keeps the discriminator and the order of the fields', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(Message)).discriminator, { propertyName: 'role' })
  assert.deepEqual(Object.keys(ChatRequest.properties), [
    'messages',
    'tools',
    'stream',
    'max_tokens',
    'temperature',
  ])
})

test('exactly what JSON Schema accepts is accepted, null on optional fields and unsafe integers aside', () => {
  const ajv = new Ajv2020({ discriminator: true, strict: false, strictNumbers: true })
  const isValid = ajv.compile(translateForAjv(ChatRequest))
  const seen = { valid: 0, invalid: 0 }
  fc.assert(
    fc.property(nearRequest, (request) => {
      const expected = isValid(request)
      seen[expected ? 'valid' : 'invalid'] += 1
      assert.equal(findProblems(ChatRequest, request, 1).length === 0, expected)
    }),
    runs,
  )
  assert.ok(seen.valid > 500 && seen.invalid > 500, 'both outcomes were tried')
})

test('whatever the limit, the problems found are the first of all there are', () => {
  fc.assert(
    fc.property(nearRequest, fc.integer({ min: 1, max: 4 }), (request, limit) => {
      const all = findProblems(ChatRequest, request, 1000)
      assert.deepEqual(findProblems(ChatRequest, request, limit), all.slice(0, limit))
    }),
    runs,
  )
})

/** A request with every field, and for each place, in document order, a value that is wrong there. */
const wholeRequest = {
  temperature: 1,
  max_tokens: 5,
  stream: true,
  tools: [
    { function: { parameters: {}, description: 'd', name: 'f' }, type: 'function' },
    { function: { name: 'g' } },
  ],
  messages: [
    { content: 'hi', role: 'user' },
    {
      tool_calls: [
        { function: { arguments: '{}', name: 'f' }, type: 'function', id: 'c1' },
        { id: 'c2', function: { name: 'g' } },
      ],
      content: null,
      role: 'assistant',
    },
    { tool_call_id: 'c1', content: '', role: 'tool' },
  ],
}
const breakages: [path: string, wrong: unknown][] = [
  ['messages[0].role', 'nobody'],
  ['messages[1].content', 7],
  ['messages[1].tool_calls[0].id', ''],
  ['messages[1].tool_calls[0].type', 'tool'],
  ['messages[1].tool_calls[0].function.name', undefined],
  ['messages[1].tool_calls[0].function.arguments', {}],
  ['messages[1].tool_calls[1].function', 'g'],
  ['messages[2].content', undefined],
  ['messages[2].tool_call_id', null],
  ['tools[0].type', 1],
  ['tools[0].function.name', 'too long'],
  ['tools[0].function.description', false],
  ['tools[0].function.parameters', []],
  ['tools[1].function', undefined],
  ['stream', 'yes'],
  ['max_tokens', 0],
  ['temperature', 2.5],
]

/** A copy of the value with something else, or nothing, at the path. */
function replaceAt(value: unknown, path: string, wrong: unknown): unknown {
  const [key, ...rest] = path.split(/[.[\]]+/).filter((part) => part !== '')
  if (key === undefined) return wrong
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = replaceAt(copy[key], rest.join('.'), wrong)
  return copy
}

test('of fields broken independently all are named, in the order of the contract’s tables', () => {
  assert.deepEqual(findProblems(ChatRequest, wholeRequest, 1), [])
  fc.assert(
    fc.property(fc.subarray(breakages, { minLength: 2 }), (chosen) => {
      let request: unknown = wholeRequest
      for (const [path, wrong] of chosen) request = replaceAt(request, path, wrong)
      const paths = chosen.map(([path]) => path)
      const found = findProblems(ChatRequest, request, 1000)
      assert.deepEqual(
        found.map((problem) => problem.path),
        paths,
      )
      assert.equal(findProblems(ChatRequest, request, 1)[0]?.path, paths[0])
    }),
    { numRuns: 1000 },
  )
})
