type Schema = Readonly<Record<string, unknown>>

/** Deeper than this a schema is answered with null, so that one that nests for ever is no trap. */
const MAX_DEPTH = 8

/** JSON arguments that a tool's schema asks for: each required property, with a plain value. */
export function sampleArguments(parameters: Schema | undefined): string {
  return JSON.stringify(parameters ? sampleObject(parameters, 0) : {})
}

function sampleObject(schema: Schema, depth: number): Record<string, unknown> {
  const properties = asSchema(schema['properties'])
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const names = required.filter((name) => typeof name === 'string')
  return Object.fromEntries(
    names.map((name) => [name, sampleValue(asSchema(properties[name]), name, depth + 1)]),
  )
}

function sampleValue(schema: Schema, name: string, depth: number): unknown {
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'].at(0)
  if (depth > MAX_DEPTH) return null
  const type: unknown = Array.isArray(schema['type']) ? schema['type'].at(0) : schema['type']
  switch (type) {
    case 'number':
    case 'integer':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return sampleObject(schema, depth)
    case 'null':
      return null
    default:
      return `example ${name}`
  }
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
