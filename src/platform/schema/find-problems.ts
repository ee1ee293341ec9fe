import {
  describeRequirement,
  describeUnknownName,
  formatPathSegment,
} from './describe-requirement.ts'
import type { JsonSchema } from './json-schema.ts'
import { satisfiesOwnKeywords } from './satisfies-own-keywords.ts'

export interface Problem {
  /** `messages[0].content`; empty for the value as a whole. */
  readonly path: string
  /** `must be a string of 1 to 64 characters`; never holds content of the value. */
  readonly sentence: string
}

/**
 * At most `limit` (from 1) problems of a JSON value, in document order: by the order of the
 * schema's properties, then by index, depth first; unknown properties come after the known ones.
 * Null on a property that is not required counts as absence. An empty array means valid.
 */
export function findProblems(schema: JsonSchema, value: unknown, limit: number): Problem[] {
  // With no room for a problem everything would look valid.
  if (!(limit >= 1)) throw new RangeError('the limit of problems must be at least 1')
  const found: Draft[] = []
  walk(schema, value, found, limit)
  for (const problem of found) {
    if (problem.path.startsWith('.')) problem.path = problem.path.slice(1)
  }
  return found
}

/** `messages[0].content: must be …`; a problem of the whole value is named by `rootName`. */
export function describeProblem(problem: Problem, rootName = 'body'): string {
  return `${problem.path === '' ? rootName : problem.path}: ${problem.sentence}`
}

/** Its path is relative to the value being walked; each parent puts its own segment in front. */
interface Draft {
  path: string
  sentence: string
}

/** Where problems go; undefined while a branch is only probed, which then stops at the first. */
type Found = Draft[] | undefined

/** Whether the value is valid. Makes nothing, not even a string, as long as it is. */
function walk(schema: JsonSchema, value: unknown, found: Found, limit: number): boolean {
  if (!satisfiesOwnKeywords(schema, value)) {
    found?.push({ path: '', sentence: describeRequirement(schema, value) })
    return false
  }
  const { oneOf, anyOf } = schema
  if (oneOf !== undefined && !walkUnion(schema, oneOf, value, found, limit)) return false
  if (anyOf !== undefined && !walkUnion(schema, anyOf, value, found, limit)) return false
  if (Array.isArray(value)) {
    return schema.items === undefined || walkItems(schema.items, value, found, limit)
  }
  return !isJsonObject(value) || walkObject(schema, value, found, limit)
}

type JsonObject = Readonly<Record<string, unknown>>

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function walkItems(items: JsonSchema, values: unknown[], found: Found, limit: number): boolean {
  let valid = true
  for (let index = 0; index < values.length; index += 1) {
    if (walkChild(items, index, values[index], found, limit)) continue
    valid = false
    if (isFull(found, limit)) break
  }
  return valid
}

function walkObject(schema: JsonSchema, value: JsonObject, found: Found, limit: number): boolean {
  let valid = walkKnown(schema, value, found, limit)
  if (!valid && isFull(found, limit)) return false
  if (schema.required !== undefined) {
    valid = walkRequiredOnly(schema, value, found, limit) && valid
    if (!valid && isFull(found, limit)) return false
  }
  const { additionalProperties } = schema
  if (additionalProperties === undefined || additionalProperties === true) return valid
  return walkUnknown(schema, value, found, limit) && valid
}

function walkKnown(schema: JsonSchema, value: JsonObject, found: Found, limit: number): boolean {
  const { properties, required } = schema
  let valid = true
  for (const name in properties) {
    const property = properties[name]
    if (property === undefined) continue
    const child = Object.hasOwn(value, name) ? value[name] : undefined
    const isAbsent = child === undefined || child === null
    if (isAbsent && required?.includes(name) !== true) continue
    if (walkChild(property, name, child, found, limit)) continue
    valid = false
    if (isFull(found, limit)) break
  }
  return valid
}

/** The required names that `properties` does not describe. */
function walkRequiredOnly(
  { properties, required = [] }: JsonSchema,
  value: JsonObject,
  found: Found,
  limit: number,
): boolean {
  let valid = true
  for (const name of required) {
    if (properties !== undefined && Object.hasOwn(properties, name)) continue
    if (Object.hasOwn(value, name)) continue
    found?.push({ path: formatPathSegment(name), sentence: 'is required' })
    valid = false
    if (isFull(found, limit)) break
  }
  return valid
}

/** Names the schema does not list. Null counts here: the caller chose to write this name. */
function walkUnknown(
  { properties = {}, additionalProperties = true }: JsonSchema,
  value: JsonObject,
  found: Found,
  limit: number,
): boolean {
  let valid = true
  for (const name in value) {
    if (Object.hasOwn(properties, name) || !Object.hasOwn(value, name)) continue
    if (typeof additionalProperties === 'object') {
      if (walkChild(additionalProperties, name, value[name], found, limit)) continue
    } else {
      found?.push({
        path: formatPathSegment(name),
        sentence: describeUnknownName(name, properties),
      })
    }
    valid = false
    if (isFull(found, limit)) break
  }
  return valid
}

/** One member of an object or array; undefined means that a required member is missing. */
function walkChild(
  schema: JsonSchema,
  key: string | number,
  value: unknown,
  found: Found,
  limit: number,
): boolean {
  if (value === undefined) {
    found?.push({ path: formatPathSegment(key), sentence: 'is required' })
    return false
  }
  const before = found?.length ?? 0
  if (walk(schema, value, found, limit)) return true
  if (found === undefined) return false
  const segment = formatPathSegment(key)
  for (const problem of found.slice(before)) problem.path = segment + problem.path
  return false
}

function walkUnion(
  schema: JsonSchema,
  branches: readonly JsonSchema[],
  value: unknown,
  found: Found,
  limit: number,
): boolean {
  const tagName = schema.discriminator?.propertyName
  if (tagName !== undefined) return walkTaggedUnion(branches, tagName, value, found, limit)
  for (const branch of branches) {
    if (walk(branch, value, undefined, 1)) return true
  }
  found?.push({ path: '', sentence: describeRequirement({ anyOf: branches }, value) })
  return false
}

function walkTaggedUnion(
  branches: readonly JsonSchema[],
  tagName: string,
  value: unknown,
  found: Found,
  limit: number,
): boolean {
  if (!isJsonObject(value)) {
    found?.push({ path: '', sentence: describeRequirement({ type: 'object' }, value) })
    return false
  }
  const tag = Object.hasOwn(value, tagName) ? value[tagName] : undefined
  for (const branch of branches) {
    if (isTagOf(branch.properties?.[tagName], tag)) return walk(branch, value, found, limit)
  }
  if (found === undefined) return false
  const allowed = branches.flatMap((branch) => listTags(branch.properties?.[tagName]))
  const sentence = tag === undefined ? 'is required' : describeRequirement({ enum: allowed }, tag)
  found.push({ path: formatPathSegment(tagName), sentence })
  return false
}

function isTagOf(schema: JsonSchema | undefined, tag: unknown): boolean {
  if (schema === undefined || tag === undefined) return false
  return schema.const === tag || schema.enum?.includes(tag) === true
}

function listTags(schema: JsonSchema | undefined): readonly unknown[] {
  return schema?.enum ?? (schema?.const === undefined ? [] : [schema.const])
}

function isFull(found: Found, limit: number): boolean {
  return found === undefined || found.length >= limit
}
