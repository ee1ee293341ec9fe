import assert from 'node:assert/strict'
import test from 'node:test'
import { Type } from 'typebox'
import { describeProblem, findProblems, type JsonSchema } from './index.ts'

/** Every problem as one line each; the root is named `body`. */
function describeAll(schema: JsonSchema, value: unknown): string[] {
  return findProblems(schema, value, 1000).map((problem) => describeProblem(problem))
}

const sentences: [JsonSchema, unknown, string | undefined][] = [
  [{ type: 'string' }, 'a', undefined],
  [{ type: 'string' }, null, 'must be a string, not null'],
  [{ type: 'string' }, ['a'], 'must be a string, not an array'],
  [{ type: 'string', minLength: 1, maxLength: 64 }, '', 'must be a string of 1 to 64 characters'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'must be a string of at most 2 characters'],
  [{ type: 'string', minLength: 1 }, '', 'must be a string of at least 1 character'],
  [
    { type: 'string', minLength: 3, maxLength: 3 },
    'ab',
    'must be a string of exactly 3 characters',
  ],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'A', 'must be a string matching ^[a-z]+$'],
  [{ type: 'integer', minimum: 1 }, 0, 'must be an integer of at least 1'],
  [{ type: 'integer', minimum: 1 }, 1.5, 'must be an integer of at least 1'],
  [{ type: 'integer', minimum: 1 }, '1', 'must be an integer of at least 1, not a string'],
  [{ type: 'integer' }, JSON.parse('1.0'), undefined],
  [{ type: 'number', minimum: 0, maximum: 2 }, 2.1, 'must be a number from 0 to 2'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'must be a number greater than 0'],
  [
    { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    true,
    'must be a number greater than 0 and at most 1, not a boolean',
  ],
  [{ type: 'number', maximum: 1 }, JSON.parse('1e999'), 'must be a finite number of at most 1'],
  [{ type: 'number' }, JSON.parse('1e999'), 'must be a finite number'],
  [{ type: 'boolean' }, 0, 'must be a boolean, not a number'],
  [{ type: 'object' }, [], 'must be an object, not an array'],
  [{ type: 'array', minItems: 1, maxItems: 200 }, [], 'must be an array of 1 to 200 items'],
  [{ type: 'array', maxItems: 1 }, {}, 'must be an array of at most 1 item, not an object'],
  [{ type: ['string', 'null'], maxLength: 2 }, null, undefined],
  [
    { type: ['string', 'null'], maxLength: 2 },
    7,
    'must be a string of at most 2 characters or null, not a number',
  ],
  [{ type: 'string', const: 'function' }, 'tool', 'must be "function"'],
  [{ type: 'string', const: 'function' }, null, 'must be "function", not null'],
  [{ enum: ['a', 'b'] }, 'c', 'must be one of "a", "b"'],
  [{ enum: ['a', null] }, null, undefined],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 1, undefined],
  [
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
    {},
    'must be a string, an integer or null, not an object',
  ],
]

test('each keyword has a sentence of its own, which names the kind that was given only if that is what is wrong', () => {
  for (const [schema, value, sentence] of sentences) {
    const expected = sentence === undefined ? [] : [{ path: '', sentence }]
    assert.deepEqual(findProblems(schema, value, 1000), expected)
  }
})

test('lengths count code points, not UTF-16 units', () => {
  const schema = { type: 'string', minLength: 3, maxLength: 4 } as const
  const isValid = (text: string) => findProblems(schema, text, 1).length === 0
  assert.ok(isValid('😀😀😀😀'))
  assert.ok(!isValid('😀😀😀😀😀'))
  assert.ok(!isValid('😀😀'))
  assert.ok(isValid('\ud83d\ud83d\ude00\ude00'), 'lone surrogates count one each')
  assert.ok(!isValid('\ude00\ud83d'))
})

const person = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    age: Type.Optional(Type.Integer({ minimum: 0 })),
    tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
    timeout_ms: Type.Optional(Type.Number()),
  },
  { additionalProperties: false },
)

test('a missing field is named by its own path', () => {
  assert.deepEqual(describeAll(person, {}), ['name: is required'])
  assert.deepEqual(describeAll({ required: ['a b'] }, {}), ['["a b"]: is required'])
})

test('null on an optional field is absence, on a required field a wrong type', () => {
  assert.deepEqual(describeAll(person, { name: 'Ada', age: null, tags: null }), [])
  assert.deepEqual(describeAll(person, { name: null }), [
    'name: must be a string of at least 1 character, not null',
  ])
})

test('an unknown field is reported after the known ones, with the name that was meant', () => {
  assert.deepEqual(
    describeAll(person, { timeoutMs: 1, 'x y': 2, nmae: 'Ada', tags: ['a', 1], age: -1, q: null }),
    [
      'name: is required',
      'age: must be an integer of at least 0',
      'tags[1]: must be a string, not a number',
      'timeoutMs: is unknown; did you mean "timeout_ms"?',
      '["x y"]: is unknown',
      'nmae: is unknown; did you mean "name"?',
      'q: is unknown',
    ],
  )
})

test('a name of which every letter would have to change is not suggested', () => {
  const schema = { properties: { id: {} }, additionalProperties: false } as const
  assert.deepEqual(describeAll(schema, { x: 1, di: 1, ids: 1 }), [
    'x: is unknown',
    'di: is unknown',
    'ids: is unknown; did you mean "id"?',
  ])
})

test('every value under a name of the caller’s choosing is held to one schema', () => {
  const brands = { type: 'object', additionalProperties: person } as const
  const value = { air: { name: 'Air' }, 'nova 2': { name: '' }, prime: null }
  assert.deepEqual(describeAll(brands, value), [
    '["nova 2"].name: must be a string of at least 1 character',
    'prime: must be an object, not null',
  ])
})

const shape = Type.Union(
  [
    Type.Object({ kind: Type.Literal('circle'), radius: Type.Number({ exclusiveMinimum: 0 }) }),
    Type.Object({ kind: Type.Enum(['square', 'cube']), side: Type.Integer() }),
  ],
  { discriminator: { propertyName: 'kind' } },
)

test('a tagged union blames the tag, or else the branch the tag chose and no other', () => {
  const allowed = 'must be one of "circle", "square", "cube"'
  assert.deepEqual(describeAll(shape, { kind: 'cube', side: 1 }), [])
  assert.deepEqual(describeAll(shape, { kind: 'cube', radius: 1 }), ['side: is required'])
  assert.deepEqual(describeAll(shape, { kind: 'cone' }), [`kind: ${allowed}`])
  assert.deepEqual(describeAll(shape, { kind: null }), [`kind: ${allowed}`])
  assert.deepEqual(describeAll(shape, { radius: 1 }), ['kind: is required'])
  assert.deepEqual(describeAll({ items: shape }, [7]), ['[0]: must be an object, not a number'])
  const asOneOf = { oneOf: shape.anyOf, discriminator: { propertyName: 'kind' } }
  assert.deepEqual(describeAll(asOneOf, { kind: 'cube', side: 1 }), [])
  assert.deepEqual(describeAll(asOneOf, { kind: 'cone' }), [`kind: ${allowed}`])
})

test('a plain union has one problem, at its own path, however many its branches have', () => {
  const schema = Type.Object({ at: Type.Union([person, Type.Array(person), Type.Literal('none')]) })
  assert.deepEqual(describeAll(schema, { at: [{ name: 1, age: 'x' }, {}] }), [
    'at: must be an object, an array or "none"',
  ])
})

test('an array that is too long is refused without walking its items', () => {
  const items: unknown[] = Array.from({ length: 4 })
  Object.defineProperty(items, 0, { get: () => assert.fail('the item was read') })
  assert.deepEqual(describeAll(person, { name: 'Ada', tags: items }), [
    'tags: must be an array of at most 3 items',
  ])
})

test('the walk ends with the problem that reaches the limit', () => {
  const schema = { items: { type: 'string' } } as const
  const items: unknown[] = [1, 2, 3]
  Object.defineProperty(items, 2, { get: () => assert.fail('the item was read') })
  assert.deepEqual(
    findProblems(schema, items, 2).map(({ path }) => path),
    ['[0]', '[1]'],
  )
  assert.throws(() => findProblems(schema, items, 0), RangeError)
})

test('inherited names and __proto__ are no fields', () => {
  const schema = Type.Object({ toString: Type.String() })
  assert.deepEqual(describeAll(schema, {}), ['toString: is required'])
  assert.deepEqual(describeAll(person, JSON.parse('{"__proto__":{"name":"Ada"}}')), [
    'name: is required',
    '__proto__: is unknown',
  ])
  assert.deepEqual(describeAll(shape, Object.create({ kind: 'cube', side: 1 })), [
    'kind: is required',
  ])
  const ada = Object.assign(Object.create({ nick: 'A' }), { name: 'Ada' })
  assert.deepEqual(describeAll(person, ada), [])
})

test('a name as long as the body does not make the message as long', () => {
  const [problem] = findProblems(person, { name: 'Ada', ['x'.repeat(1_000_000)]: 1 }, 1)
  assert.ok(problem !== undefined && problem.path.length < 120)
})

test('no sentence or path holds content of the value', () => {
  const canary = 'canary-7f3a'
  const values = [canary, [canary], { name: [canary], age: canary, tags: [{ a: canary }] }]
  for (const schema of [person, shape, Type.Union([person, Type.Null()]), Type.Literal('x')]) {
    for (const value of [...values, { kind: canary }]) {
      const lines = describeAll(schema, value)
      assert.notEqual(lines.length, 0)
      assert.ok(!lines.join('\n').includes(canary))
    }
  }
})

test('a problem of the whole value is named by the caller’s word for it', () => {
  const problem = { path: '', sentence: 'must be an object' }
  assert.equal(describeProblem(problem), 'body: must be an object')
  assert.equal(describeProblem(problem, 'parley.yaml'), 'parley.yaml: must be an object')
})
