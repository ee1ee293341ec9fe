import type { OpenapiDocument, Reply } from './openapi-document.ts'

/** What callers and operators may build on. The console's own interface is none of it. */
const PROMISED = /^\/(?:operator\/)?v1\//

/** Of a document what it promises: no prose, no examples but the names of codes, no other surface. */
export function keepPromises(document: OpenapiDocument): OpenapiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .filter(([path]) => PROMISED.test(path))
      .map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, { responses, ...operation }]) => [
            method,
            { ...dropProse(operation), responses: keepReplies(responses) },
          ]),
        ),
      ]),
  ) as OpenapiDocument['paths']
  const { securitySchemes = {}, headers = {}, schemas = {} } = document.components
  const components = dropProse({ securitySchemes, headers, schemas })
  return {
    info: { version: document.info.version },
    paths,
    components: keepUsed(paths, components),
  }
}

function keepReplies(replies: Readonly<Record<string, Reply>>): object {
  return Object.fromEntries(
    Object.entries(replies).map(([status, { headers, content = {} }]) => [
      status,
      { headers, content: mapValues(content, (media) => keepMedia(media, Number(status) >= 400)) },
    ]),
  )
}

function keepMedia(
  { schema, examples = {} }: NonNullable<Reply['content']>[string],
  isRefusal: boolean,
): object {
  const codes = isRefusal ? { examples: mapValues(examples, () => ({})) } : {}
  return { schema: dropProse(schema), ...codes }
}

const PROSE = new Set([
  'summary',
  'description',
  'tags',
  'title',
  'example',
  'examples',
  'deprecated',
  // Says in words what a pattern means.
  'x-meaning',
])

/** Under these the keys are names: a field may well be called "description". */
const NAMED = new Set(['properties', 'schemas', 'headers', 'securitySchemes'])

function dropProse<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item) => dropProse(item as unknown)) as Value
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value)
    .filter(([key]) => !PROSE.has(key))
    .map(([key, child]) => [
      key,
      NAMED.has(key) ? dropNamedProse(child as object) : dropProse(child as unknown),
    ])
  return Object.fromEntries(kept) as Value
}

function dropNamedProse(named: object): object {
  return mapValues(named as Record<string, unknown>, (child) => dropProse(child))
}

/** Without the components that only the other surfaces use. */
function keepUsed(
  paths: object,
  components: OpenapiDocument['components'],
): OpenapiDocument['components'] {
  const used = new Set<string>()
  const follow = (within: unknown): void => {
    for (const [, kind, name] of JSON.stringify(within).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      if (used.has(`${kind} ${name}`)) continue
      used.add(`${kind} ${name}`)
      follow((components as Record<string, Record<string, unknown>>)[String(kind)]?.[String(name)])
    }
  }
  follow(paths)
  const keep = <Kind>(kind: string, all: Readonly<Record<string, Kind>> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind} ${name}`)))
  return {
    ...components,
    schemas: keep('schemas', components.schemas),
    headers: keep('headers', components.headers),
  }
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
