export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'

/**
 * The part of JSON Schema 2020-12 that `findProblems` enforces; every other keyword is ignored.
 * TypeBox schemas fit it, but for `Type.Record` and `Type.Intersect`: those write
 * `patternProperties` and `allOf`.
 */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[]
  /** Compared with `===`, as are the members of `enum`: strings, numbers, booleans and null only. */
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  /** Lengths count code points. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** What the pattern means, for people: "an e-mail address". */
  readonly 'x-meaning'?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  /** The order of its names is the document order in which problems are reported. */
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | JsonSchema
  /** Taken to exclude one another: the first branch that accepts is enough, as in `anyOf`. */
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  /** Each branch then requires this property, with a `const` or `enum` of its own. */
  readonly discriminator?: { readonly propertyName: string }
  /** TypeBox's marks, named so that a schema with nothing else still has a property in common. */
  readonly '~kind'?: unknown
  readonly '~unsafe'?: unknown
}
