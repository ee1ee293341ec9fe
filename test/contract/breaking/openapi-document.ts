/** As much of an OpenAPI 3.1 document as is compared. */
export interface OpenapiDocument {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Components
}

export interface Components {
  readonly schemas?: Readonly<Record<string, Schema>>
  readonly headers?: Readonly<Record<string, Header>>
  readonly securitySchemes?: Readonly<Record<string, object>>
}

export interface Operation {
  readonly operationId: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Reply>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Reply {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Content
}

export interface Header {
  readonly schema: Schema
}

export type Content = Readonly<Record<string, Media>>

export interface Media {
  readonly schema: Schema
  /** Those of a refusal are named after their codes. */
  readonly examples?: Readonly<Record<string, unknown>>
}

export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly default?: unknown
  /** What each event of a stream carries. */
  readonly 'x-event'?: Schema
  readonly [keyword: string]: unknown
}

/** The document with each reference replaced by what it leads to; one that leads to itself may be circular. */
export function linkReferences<Kind extends object>(document: Kind): Kind {
  const linked = structuredClone(document)
  const seen = new Set<object>()
  const follow = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return follow(lookUp(linked, value))
    if (seen.has(value)) return value
    seen.add(value)
    const holder = value as Record<string, unknown>
    for (const [key, child] of Object.entries(holder)) holder[key] = follow(child)
    return value
  }
  follow(linked)
  return linked
}

function lookUp(document: object, { $ref, ...others }: { $ref?: unknown }): unknown {
  const reference = String($ref)
  if (Object.keys(others).length > 0) throw new Error(`${reference} does not stand alone`)
  const steps = reference.slice('#/'.length).split('/')
  const found = steps.reduce<unknown>(
    (place, step) => (place as Readonly<Record<string, unknown>> | undefined)?.[step],
    document,
  )
  if (found === undefined) throw new Error(`${reference} leads nowhere`)
  return found
}
