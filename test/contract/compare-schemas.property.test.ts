import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { JsonSchema } from '#platform/schema/index.ts'
import { compareSchemas, type Direction } from './breaking/compare-schemas.ts'
import { findBreakingChanges } from './breaking/find-breaking-changes.ts'
import type { Schema } from './breaking/openapi-document.ts'
import { readReleased } from './breaking/released.ts'
import { makeArbitrary } from './make-arbitrary.ts'

const ajv = new Ajv2020({ strict: false, addUsedSchema: false })
const small = fc.nat(4)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const leaf: fc.Arbitrary<Schema> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: maybe(small), maxLength: maybe(small) }),
  fc.record({
    type: fc.constantFrom('integer', 'number'),
    minimum: maybe(small),
    maximum: maybe(small),
  }),
  fc.constantFrom<Schema>({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'null'] }, {}),
  fc.record({ enum: fc.subarray(['a', 'b', 1, 2, null], { minLength: 1 }) }),
  fc.record({ const: fc.constantFrom('a', 1, true) }),
)

/** Schemas of everything that the contract is written with; all that they can take can be made. */
const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    leaf,
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: maybe(small) }),
    makeObject(tie('schema')),
  ),
}))

function makeObject(child: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const field = fc.record({ of: child, isRequired: fc.boolean() })
  return fc.dictionary(fc.constantFrom('alpha', 'beta'), field, { minKeys: 1 }).map((fields) => ({
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, { of }]) => [name, of])),
    required: Object.keys(fields).filter((name) => fields[name]?.isRequired),
  }))
}

/** Two schemas as they follow each other in real life: mostly alike. */
const pair = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema).map(([one, other]) => [one, { anyOf: [one, other] }] as const),
  fc
    .tuple(leaf, leaf, leaf)
    .map(([one, was, is]) => [inObject(one, was), inObject(one, is)] as const),
)

function inObject(alpha: Schema, beta: Schema): Schema {
  return { type: 'object', properties: { alpha, beta }, required: ['alpha'] }
}

for (const direction of ['asked', 'answered'] as const) {
  test(`what is called compatible is, whatever is ${direction}`, () => {
    let compatible = 0
    fc.assert(
      fc.property(
        pair,
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        ([one, other], isTurned, seeds) => {
          const [before, after] = isTurned ? [other, one] : [one, other]
          if (compareSchemas({ before, after, direction, place: '' }).length > 0) return
          compatible += 1
          assertFits(before, after, direction, seeds.next().value ?? 0)
        },
      ),
      { numRuns: 2_000 },
    )
    assert.ok(compatible > 100, `only ${compatible} pairs were compatible`)
  })
}

/** What the narrower one can be is taken by the wider one. */
function assertFits(before: Schema, after: Schema, direction: Direction, seed: number): void {
  const [narrow, wide] = direction === 'asked' ? [before, after] : [after, before]
  const [isMeant, takes] = [ajv.compile(narrow), ajv.compile(wide)]
  if (!canBe(narrow)) return
  for (const value of fc.sample(makeArbitrary(narrow as JsonSchema, 0), { numRuns: 5, seed })) {
    // Where a field may be left out, null is made too, which only our own validation takes for absence.
    if (!isMeant(value)) continue
    const text = JSON.stringify(value)
    assert.ok(
      takes(value),
      `${text} is of ${JSON.stringify(narrow)}, not of ${JSON.stringify(wide)}`,
    )
  }
}

/** Bounds that exclude each other leave nothing to be made. */
function canBe(one: Schema): boolean {
  const { minLength = 0, maxLength = 9, minimum = 0, maximum = 9 } = one as JsonSchema
  const children = [...(one.anyOf ?? []), ...Object.values(one.properties ?? {})]
  if (one.items) children.push(one.items)
  return minLength <= maxLength && minimum <= maximum && children.every(canBe)
}

test('no field of what is promised goes unseen', () => {
  const released = readReleased()
  const { schemas = {} } = released.components
  let tried = 0
  for (const name of Object.keys(schemas)) {
    for (const field of Object.keys(schemas[name]?.properties ?? {})) {
      const { [field]: _, ...properties } = schemas[name]?.properties ?? {}
      const without = { ...schemas, [name]: { ...schemas[name], properties } }
      const components = { ...released.components, schemas: without }
      const found = findBreakingChanges(released, { ...released, components })
      assert.ok(
        found.some((line) => line.includes(field)),
        `${name}.${field}: ${found.join('\n')}`,
      )
      tried += 1
    }
  }
  assert.ok(tried > 200, `${tried}`)
})
