import type { JsonSchema, JsonType } from './json-schema.ts'

/** Whether the value keeps what the schema says of it alone, its members and unions set aside. */
export function satisfiesOwnKeywords(schema: JsonSchema, value: unknown): boolean {
  const { type } = schema
  if (type !== undefined && !isOfType(type, value)) return false
  if (schema.const !== undefined && value !== schema.const) return false
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false
  if (typeof value === 'string') return satisfiesText(schema, value)
  if (typeof value === 'number') return satisfiesNumber(schema, value)
  return !Array.isArray(value) || satisfiesCount(schema, value.length)
}

function isOfType(type: JsonType | readonly JsonType[], value: unknown): boolean {
  if (typeof type === 'string') return isOfSingleType(type, value)
  for (const each of type) {
    if (isOfSingleType(each, value)) return true
  }
  return false
}

function isOfSingleType(type: JsonType, value: unknown): boolean {
  switch (type) {
    case 'integer':
      // Past 2^53 the number that was sent is no longer the number we hold.
      return Number.isInteger(value)
    case 'number':
      // JSON.parse reads 1e999 as Infinity.
      return Number.isFinite(value)
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
  }
}

function satisfiesText({ minLength, maxLength, pattern }: JsonSchema, text: string): boolean {
  if (minLength !== undefined && !hasAtLeast(text, minLength)) return false
  if (maxLength !== undefined && hasAtLeast(text, maxLength + 1)) return false
  // The engine keeps compiled expressions by their source, so this need not.
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
}

/** Whether the text has this many code points, counted only where its length leaves that open. */
function hasAtLeast(text: string, codePoints: number): boolean {
  if (text.length < codePoints) return false
  // A code point takes one or two units.
  if (text.length >= 2 * codePoints) return true
  let count = text.length
  for (let index = 1; index < text.length; index += 1) {
    if (!isPairAt(text, index)) continue
    count -= 1
    if (count < codePoints) return false
  }
  return count >= codePoints
}

/** Whether a surrogate pair, which is one code point, ends at this index. */
function isPairAt(text: string, index: number): boolean {
  return (
    (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800
  )
}

function satisfiesNumber(
  { minimum, maximum, exclusiveMinimum }: JsonSchema,
  value: number,
): boolean {
  if (minimum !== undefined && value < minimum) return false
  if (maximum !== undefined && value > maximum) return false
  return exclusiveMinimum === undefined || value > exclusiveMinimum
}

function satisfiesCount({ minItems, maxItems }: JsonSchema, count: number): boolean {
  if (minItems !== undefined && count < minItems) return false
  return maxItems === undefined || count <= maxItems
}
