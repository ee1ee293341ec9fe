import fc from 'fast-check'
import type { JsonSchema, JsonType } from '#platform/schema/index.ts'

/**
 * Values for a schema of the contract. With `wildness` 0 each is valid; else each place of it is, so
 * many times in a hundred, something the schema may not take: another type, null, a bound passed,
 * a field too much or too few.
 */
export function makeArbitrary(schema: JsonSchema, wildness: number): fc.Arbitrary<unknown> {
  const meant = makeMeant(schema, wildness)
  if (wildness === 0) return meant
  return fc.oneof(
    { arbitrary: meant, weight: 100 - wildness },
    { arbitrary: fc.oneof(anything, makeMisfit(schema)), weight: wildness },
  )
}

/** Turns into a number that no double holds when the value is written by `writeJson`. */
const HUGE_MARK = 'a number that no double holds'
const HUGE = ['1e999', '-1e999', '9'.repeat(400), '1e-999', '0.1e1', '9007199254740993']

/** The text of a value, with numbers in it that JSON has and JavaScript does not. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.replaceAll(new RegExp(`"${HUGE_MARK} (\\d)"`, 'g'), (_, index) => HUGE[index] ?? '0')
}

const nasty = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud83d',
  '\udc4b\ud83d',
  '\ufeff',
  '\u202e\u2066',
  '\r\nx-evil: 1\r\n\r\n',
  '__proto__',
  'constructor',
  "'; drop table account; --",
  '%00%zz',
  '../..',
  'air\u0000',
  '👋🏽',
  'İ',
]

/** Text of all that can be written, lone surrogates among it. */
export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\udc4b', '\0', '\n'), maxLength: 8 }),
  fc.constantFrom(...nasty),
)

const numbers = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  2.000001,
  1e21,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  5e-324,
  1.7e308,
]

export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { '': null }, ...numbers),
  fc.nat(HUGE.length - 1).map((index) => `${HUGE_MARK} ${index}`),
  anyText,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(5, 101, 3_000).map((levels) => nest(levels)),
)

function nest(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

function makeMeant(schema: JsonSchema, wildness: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return fc.oneof(...branches.map((branch) => makeArbitrary(branch, wildness)))
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return anything
  return fc.oneof(...types.map((type) => makeOfType(type, schema, wildness)))
}

function makeOfType(type: JsonType, schema: JsonSchema, wildness: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return makeText(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 100_000 })
    case 'number': {
      const { minimum: min = -1e6, maximum: max = 1e6 } = schema
      return fc.double({ min, max, noNaN: true })
    }
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return makeArray(schema, wildness)
    case 'object':
      return makeObject(schema, wildness)
  }
}

function makeText({ pattern, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  const fits = (text: string) => Array.from(text).length >= minLength
  if (pattern !== undefined) {
    const matching = fc.stringMatching(new RegExp(pattern, 'u'))
    return matching.filter((text) => fits(text) && Array.from(text).length <= maxLength)
  }
  return fc.oneof(
    { arbitrary: anyText.filter((text) => fits(text) && text.length <= maxLength), weight: 9 },
    { arbitrary: fc.constantFrom('x'.repeat(maxLength), '😀'.repeat(maxLength)), weight: 1 },
  )
}

function makeArray(schema: JsonSchema, wildness: number): fc.Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = 4 } = schema
  const maxLength = Math.min(maxItems, 4)
  return fc.array(makeArbitrary(items, wildness), { minLength: minItems, maxLength })
}

function makeObject(schema: JsonSchema, wildness: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, child]) => [
      name,
      required.includes(name)
        ? makeArbitrary(child, wildness)
        : fc.option(makeArbitrary(child, wildness), { freq: 12 }),
    ]),
  )
  const whole = fc.record(fields, { requiredKeys: [...required] })
  if (Object.keys(properties).length === 0) return fc.dictionary(anyText, anything)
  const isOpen = additionalProperties === undefined || additionalProperties === true
  return isOpen ? withExtra(whole) : whole
}

/** Fields of other names than the schema's: an open object ignores them. */
function withExtra(whole: fc.Arbitrary<object>): fc.Arbitrary<object> {
  const extra = fc.dictionary(
    fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', 'toJSON', 'top_p')),
    anything,
    { maxKeys: 2 },
  )
  const both = fc.tuple(extra, whole).map(([more, fields]) =>
    // An own property of each name, `__proto__` too: spreading would not set that one.
    Object.fromEntries([...Object.entries(more), ...Object.entries(fields)]),
  )
  return fc.oneof({ arbitrary: whole, weight: 3 }, { arbitrary: both, weight: 1 })
}

/** Just outside of what the schema takes. */
function makeMisfit(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { minimum, maximum, maxLength, maxItems, items, properties, required = [] } = schema
  const misfits: unknown[] = [null, '', [], {}]
  if (minimum !== undefined) misfits.push(minimum - 1, minimum - 1e-9, minimum + 0.5, `${minimum}`)
  if (maximum !== undefined) misfits.push(maximum, maximum + 1e-9, `${maximum}`)
  if (maxLength !== undefined) misfits.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1))
  for (const option of schema.enum ?? []) misfits.push(`${String(option)} `, [option])
  if (schema.enum) misfits.push(...schema.enum.map((option) => String(option).toUpperCase()))
  const plain = fc.constantFrom(...misfits)
  if (items && maxItems !== undefined) {
    const one = makeArbitrary(items, 0)
    return fc.oneof(
      plain,
      one.map((value) => Array.from({ length: maxItems + 1 }, () => value)),
    )
  }
  if (!properties || Object.keys(properties).length === 0) return plain
  const whole = makeObject(schema, 0) as fc.Arbitrary<Record<string, unknown>>
  const without = fc
    .tuple(whole, fc.constantFrom('', ...required))
    .map(([{ ...fields }, name]) => (delete fields[name], fields))
  return fc.oneof(plain, without, withExtra(whole))
}
