type Schema = Readonly<Record<string, unknown>>

const SCALARS = new Set(['string', 'number', 'integer', 'boolean', 'null'])
const ANYTHING = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}
const MAX_DEPTH = 32

/**
 * A tool's JSON Schema in the part of it that the engine makes a grammar of. What it has no words for is
 * left out, so that the grammar allows more, never less, but that each property named is written.
 */
export function writeParameters(schema: Schema): object {
  const root = write(schema, 0)
  const definitions = objectOf(schema['$defs']) ?? objectOf(schema['definitions'])
  // A call's arguments are an object, whatever the schema leaves unsaid.
  const isObject = 'type' in root && root.type === 'object'
  const written = isObject ? root : { type: 'object', additionalProperties: true }
  return definitions
    ? { ...written, $defs: mapValues(definitions, (one) => write(one, 1)) }
    : written
}

function write(value: unknown, depth: number): object {
  const schema = objectOf(value)
  if (!schema || depth > MAX_DEPTH) return ANYTHING
  const description = typeof schema['description'] === 'string' ? schema['description'] : undefined
  const written = writeShape(schema, depth)
  return description === undefined ? written : { ...written, description }
}

function writeShape(schema: Schema, depth: number): object {
  const { $ref: ref, const: constant, enum: choices } = schema
  if (typeof ref === 'string') {
    return { $ref: ref.replace(/^#\/definitions\//, '#/$defs/') }
  }
  if (isScalar(constant)) return { const: constant }
  if (Array.isArray(choices) && choices.length > 0 && choices.every(isScalar)) {
    return { enum: choices }
  }
  const alternatives = schema['oneOf'] ?? schema['anyOf']
  if (Array.isArray(alternatives) && alternatives.length > 0) {
    return { oneOf: alternatives.map((one) => write(one, depth + 1)) }
  }
  const types = typesOf(schema)
  const [only] = types
  if (types.length === 1 && only !== undefined) return writeType(only, schema, depth)
  if (types.length === 0) return ANYTHING
  return { oneOf: types.map((type) => writeType(type, schema, depth)) }
}

function writeType(type: string, schema: Schema, depth: number): object {
  switch (type) {
    case 'object':
      return writeObject(schema, depth)
    case 'array':
      return {
        type,
        ...(schema['items'] !== undefined && { items: write(schema['items'], depth + 1) }),
        ...integers(schema, 'minItems', 'maxItems'),
      }
    case 'string':
      return { type, ...integers(schema, 'minLength', 'maxLength') }
    default:
      return SCALARS.has(type) ? { type } : ANYTHING
  }
}

function writeObject(schema: Schema, depth: number): object {
  const properties = objectOf(schema['properties'])
  const more = schema['additionalProperties']
  // JSON Schema allows more properties where nothing is said; a model would write them without end.
  const additional = objectOf(more) ? write(more, depth + 1) : (more ?? properties === undefined)
  return {
    type: 'object',
    ...(properties && { properties: mapValues(properties, (one) => write(one, depth + 1)) }),
    additionalProperties: additional,
  }
}

function typesOf(schema: Schema): string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  if (schema['properties'] !== undefined) return ['object']
  return schema['items'] === undefined ? [] : ['array']
}

function integers(schema: Schema, ...names: readonly string[]): object {
  const given = names.filter((name) => Number.isInteger(schema[name]))
  return Object.fromEntries(given.map((name) => [name, schema[name]]))
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function objectOf(value: unknown): Schema | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Schema) : undefined
}

function mapValues(schema: Schema, change: (value: unknown) => object): object {
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, change(value)]))
}
