import type { Schema } from './openapi-document.ts'

/** Something that a client may have relied on, and where. */
export interface Breach {
  readonly place: string
  readonly change: string
}

/**
 * What was taken must go on being taken (`asked`); what is answered must be what could be answered
 * before, besides fields that are new (`answered`).
 */
export type Direction = 'asked' | 'answered'

export interface Pair {
  readonly before: Schema
  readonly after: Schema
  readonly direction: Direction
  readonly place: string
}

/** Where the schema after breaks what the schema before promised; references must have been linked. */
export function compareSchemas(pair: Pair): Breach[] {
  return compare(pair, [])
}

/** Pairs under comparison, so that a schema that contains itself ends. */
type Ongoing = readonly Pick<Pair, 'before' | 'after'>[]

function compare(pair: Pair, ongoing: Ongoing): Breach[] {
  const { before, after, direction, place } = pair
  if (ongoing.some((one) => one.before === before && one.after === after)) return []
  const within = [...ongoing, { before, after }]
  const unlike = before['x-event'] === undefined ? [] : compareEvents(pair, within)
  const moved = direction === 'asked' && !isSame(before.default, after.default)
  return [
    ...unlike,
    ...(moved ? [breach(place, describeChange('default', before.default, after.default))] : []),
    ...compareBranches(pair, within),
  ]
}

function compareEvents({ before, after, direction, place }: Pair, ongoing: Ongoing): Breach[] {
  const [was, is] = [before['x-event'], after['x-event']]
  if (!was) return []
  if (!is) return [breach(place, 'its events are no longer described')]
  return compare({ before: was, after: is, direction, place }, ongoing)
}

/** Each way of the narrower schema must fit a way of the wider one. */
function compareBranches({ before, after, direction, place }: Pair, ongoing: Ongoing): Breach[] {
  const isAsked = direction === 'asked'
  const narrow = listBranches(isAsked ? before : after)
  const wide = listBranches(isAsked ? after : before)
  return narrow.flatMap((branch) => {
    const tried = wide.map((other) => ({
      isKin: isKin(branch, other),
      unlike: countUnlike(branch, other),
      breaches: compareBranch(
        isAsked
          ? { before: branch, after: other, direction, place }
          : { before: other, after: branch, direction, place },
        ongoing,
      ),
    }))
    if (tried.some(({ breaches }) => breaches.length === 0)) return []
    const [closest] = tried
      .filter((one) => one.isKin)
      .toSorted((a, b) => a.unlike - b.unlike || a.breaches.length - b.breaches.length)
    const how = isAsked ? 'is no longer taken' : 'may come now'
    return closest?.breaches ?? [breach(place, `${describe(branch)} ${how}`)]
  })
}

/** A schema without unions: its `anyOf`, `enum` and lists of types told as so many schemas. */
function listBranches(schema: Schema): Schema[] {
  const { anyOf, oneOf, discriminator: _, ...rest } = schema
  if (anyOf && oneOf) throw new Error('anyOf beside oneOf cannot be compared')
  const union = anyOf ?? oneOf
  if (union) return union.flatMap((branch) => listBranches({ ...rest, ...branch }))
  if (rest.enum) {
    const { enum: values, ...others } = rest
    return values.map((value) => ({ ...others, type: typeOf(value), const: value }))
  }
  if (rest.const !== undefined) return [{ ...rest, type: typeOf(rest.const) }]
  if (rest.type === undefined) return [rest]
  return [rest.type].flat().map((type) => keepApplicable(type, rest))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** Which types a keyword says something of; of any that is not here, all. */
const APPLIES: Readonly<Record<string, readonly string[]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: ['string'],
  minimum: ['integer', 'number'],
  maximum: ['integer', 'number'],
  exclusiveMinimum: ['integer', 'number'],
  exclusiveMaximum: ['integer', 'number'],
  minItems: ['array'],
  maxItems: ['array'],
  items: ['array'],
  properties: ['object'],
  required: ['object'],
  additionalProperties: ['object'],
}

function keepApplicable(type: string, schema: Schema): Schema {
  const kept = Object.entries(schema).filter(
    ([keyword]) => APPLIES[keyword]?.includes(type) ?? true,
  )
  return { ...Object.fromEntries(kept), type }
}

/** Whether two ways are so alike that what differs is worth telling. */
function isKin(a: Schema, b: Schema): boolean {
  if (a.const !== undefined && b.const !== undefined) return false
  return a.type === undefined || b.type === undefined || isNumeric(a, b) || a.type === b.type
}

/** Fields that tell two kinds of an object apart, as a message's role does. */
function countUnlike({ properties = {} }: Schema, other: Schema): number {
  return Object.entries(properties).filter(([name, { const: value }]) => {
    const theirs = other.properties?.[name]?.const
    return value !== undefined && theirs !== undefined && !isSame(value, theirs)
  }).length
}

function isNumeric(a: Schema, b: Schema): boolean {
  return [a, b].every(({ type }) => type === 'integer' || type === 'number')
}

const AT_LEAST = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems']
const AT_MOST = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems']
/** Compared by rules of their own. */
const ELSEWHERE: readonly string[] = [
  'type',
  'const',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'x-event',
  'default',
]

function compareBranch(pair: Pair, ongoing: Ongoing): Breach[] {
  return [
    ...compareKeywords(pair),
    ...compareItems(pair, ongoing),
    ...compareProperties(pair, ongoing),
    ...compareOtherProperties(pair, ongoing),
  ]
}

/** A keyword that is not known here must not change at all. */
function compareKeywords({ before, after, direction, place }: Pair): Breach[] {
  const [narrow, wide] = direction === 'asked' ? [before, after] : [after, before]
  const others = Object.keys(wide).filter((keyword) => !ELSEWHERE.includes(keyword))
  const broken = ['type', 'const', ...others].filter(
    (keyword) => !fits(keyword, narrow[keyword], wide[keyword]),
  )
  return broken.map((keyword) =>
    breach(place, describeChange(keyword, before[keyword], after[keyword])),
  )
}

function fits(keyword: string, narrow: unknown, wide: unknown): boolean {
  if (wide === undefined) return true
  if (AT_LEAST.includes(keyword)) {
    const least = keyword === 'minLength' || keyword === 'minItems' ? 0 : -Infinity
    return Number(narrow ?? least) >= Number(wide)
  }
  if (AT_MOST.includes(keyword)) return Number(narrow ?? Infinity) <= Number(wide)
  if (keyword === 'type' && wide === 'number' && narrow === 'integer') return true
  return isSame(narrow, wide)
}

function compareItems({ before, after, direction, place }: Pair, ongoing: Ongoing): Breach[] {
  const [narrow, wide] = direction === 'asked' ? [before, after] : [after, before]
  if (!wide.items) return []
  const { items: was = {} } = before
  const { items: is = {} } = after
  if (!narrow.items) return [breach(place, describeChange('items', before.items, after.items))]
  return compare({ before: was, after: is, direction, place: `${place}[]` }, ongoing)
}

/** A field that was there stays, whoever sends it; what must be there follows the direction. */
function compareProperties({ before, after, direction, place }: Pair, ongoing: Ongoing): Breach[] {
  const [narrow, wide] = direction === 'asked' ? [before, after] : [after, before]
  const loose = (wide.required ?? []).filter((name) => !narrow.required?.includes(name))
  const verb = direction === 'asked' ? 'is required now' : 'may be missing now'
  return [
    ...loose
      // Of one that is gone this is told below.
      .filter((name) => !before.properties?.[name] || after.properties?.[name])
      .map((name) => breach(join(place, name), verb)),
    ...Object.entries(before.properties ?? {}).flatMap(([name, was]) => {
      const is = after.properties?.[name]
      if (!is) return [breach(join(place, name), 'is gone')]
      return compare({ before: was, after: is, direction, place: join(place, name) }, ongoing)
    }),
  ]
}

/** Clients ignore fields that they do not know, so an answer may always have more of them. */
function compareOtherProperties(pair: Pair, ongoing: Ongoing): Breach[] {
  const { before, after, direction, place } = pair
  const [was = true, is = true] = [before.additionalProperties, after.additionalProperties]
  const [narrow, wide] = direction === 'asked' ? [was, is] : [is, was]
  if (wide === true || (wide === false && direction === 'answered')) return []
  if (narrow === false) return []
  if (typeof was === 'object' && typeof is === 'object') {
    return compare({ before: was, after: is, direction, place: join(place, '*') }, ongoing)
  }
  return [breach(place, describeChange('additionalProperties', was, is))]
}

function breach(place: string, change: string): Breach {
  return { place, change }
}

function join(place: string, name: string): string {
  return place === '' || place.endsWith(' ') ? `${place}${name}` : `${place}.${name}`
}

function describe(branch: Schema): string {
  if (branch.const !== undefined) return JSON.stringify(branch.const)
  return String(branch.type ?? 'anything')
}

function describeChange(keyword: string, was: unknown, is: unknown): string {
  return `${keyword} was ${JSON.stringify(was) ?? 'free'}, is ${JSON.stringify(is) ?? 'free'}`
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
