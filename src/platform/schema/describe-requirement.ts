import type { JsonSchema, JsonType } from './json-schema.ts'

/**
 * What the schema asks of the value itself: `must be a string of 1 to 64 characters`. Of the value
 * only its kind is told, and only where that is what is wrong: it may be someone's conversation.
 */
export function describeRequirement(schema: JsonSchema, value: unknown): string {
  const requirement = `must be ${describeWanted(schema, value)}`
  return takesKindOf(schema, value) ? requirement : `${requirement}, not ${describeKind(value)}`
}

/** `is unknown; did you mean "timeout_ms"?` */
export function describeUnknownName(name: string, known: object): string {
  const nearest = findNearestName(name, Object.keys(known))
  return nearest === undefined ? 'is unknown' : `is unknown; did you mean "${nearest}"?`
}

/** `.name`, `["weird key"]` or `[0]`. */
export function formatPathSegment(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`
  const name = key.length > longestNameShown ? `${key.slice(0, longestNameShown)}…` : key
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

/** A name may be as long as the whole body; a path is read by people. */
const longestNameShown = 100

function describeWanted(schema: JsonSchema, value: unknown): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return describeChoice(schema.enum)
  const branches = schema.anyOf ?? schema.oneOf
  if (schema.discriminator !== undefined) return 'an object'
  if (branches !== undefined) {
    return joinWithOr(branches.map((branch) => describeWanted(branch, value)))
  }
  const types = schema.type ?? kindOf(value)
  return joinWithOr([types].flat().map((type) => describeType(type, schema, value)))
}

function describeChoice(values: readonly unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ')
  return values.length > 1 ? `one of ${list}` : list
}

function joinWithOr(phrases: string[]): string {
  const distinct = [...new Set(phrases)]
  const last = distinct.pop() ?? 'nothing'
  return distinct.length === 0 ? last : `${distinct.join(', ')} or ${last}`
}

function describeType(type: JsonType, schema: JsonSchema, value: unknown): string {
  switch (type) {
    case 'string': {
      const size = describeSize(schema.minLength, schema.maxLength, 'character')
      return describeText(schema, size)
    }
    case 'array':
      return `an array${describeSize(schema.minItems, schema.maxItems, 'item')}`
    case 'integer':
      return `an integer${describeRange(schema)}`
    case 'number':
      return `${isInfinite(value) ? 'a finite number' : 'a number'}${describeRange(schema)}`
    case 'object':
      return 'an object'
    case 'boolean':
      return 'a boolean'
    case 'null':
      return 'null'
  }
}

/** ` of 1 to 64 characters`, or nothing where no bound is set. */
function describeSize(least: number | undefined, most: number | undefined, unit: string): string {
  const min = least === 0 ? undefined : least
  const plural = (count: number) => `${count} ${unit}${count === 1 ? '' : 's'}`
  if (min === undefined) return most === undefined ? '' : ` of at most ${plural(most)}`
  if (most === undefined) return ` of at least ${plural(min)}`
  return min === most ? ` of exactly ${plural(min)}` : ` of ${min} to ${plural(most)}`
}

function describeText(schema: JsonSchema, size: string): string {
  if (schema['x-meaning'] !== undefined) return schema['x-meaning']
  return `a string${size}${schema.pattern === undefined ? '' : ` matching ${schema.pattern}`}`
}

/** ` from 0 to 2`, or nothing where no bound is set. */
function describeRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  if (exclusiveMinimum !== undefined && exclusiveMinimum >= (minimum ?? -Infinity)) {
    const lower = ` greater than ${exclusiveMinimum}`
    return maximum === undefined ? lower : `${lower} and at most ${maximum}`
  }
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

/** Whether the schema takes any value of this kind, so that naming the kind would explain nothing. */
function takesKindOf(schema: JsonSchema, value: unknown): boolean {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined && !branches.some((branch) => takesKindOf(branch, value))) return false
  if (schema.type === undefined) return true
  const kind = kindOf(value)
  return [schema.type].flat().some((type) => (type === 'integer' ? 'number' : type) === kind)
}

function describeKind(value: unknown): string {
  const kind = kindOf(value)
  if (kind === 'null') return kind
  return kind === 'array' || kind === 'object' ? `an ${kind}` : `a ${kind}`
}

/** The kind of a JSON value; nothing at all, as an empty document may be, is told as null. */
function kindOf(value: unknown): Exclude<JsonType, 'integer'> {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}

/** The first of the nearest names within two edits that keep something of it. */
function findNearestName(name: string, candidates: readonly string[]): string | undefined {
  let nearest: string | undefined
  let fewestEdits = 3
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= fewestEdits) continue
    const edits = countEdits(name, candidate)
    if (edits >= fewestEdits || edits >= candidate.length) continue
    nearest = candidate
    fewestEdits = edits
  }
  return nearest
}

/** The Levenshtein distance: letters put in, taken out or replaced. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
