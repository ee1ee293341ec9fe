import type { FaultCode } from '#platform/fault.ts'
import { HEADERS, type HeaderName, type Operation, type SuccessReply } from './operation.ts'
import { ErrorBody, FAULTS } from './schemas/error.ts'

export interface OpenapiInput {
  readonly version: string
  readonly serviceName: string
  /** Where the service is, without the version segment, e.g. "https://api.example.com". */
  readonly origin: string
  readonly operations: readonly Operation[]
}

type Json = Readonly<Record<string, unknown>>

/** Any operation can fail in a way of our own. */
const EVERYWHERE: readonly FaultCode[] = ['internal_error']

/** The OpenAPI 3.1 document of the operations. JSON Schema is its schema language: none is translated. */
export function buildOpenapi({ version, serviceName, origin, operations }: OpenapiInput): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, components),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${serviceName} API`,
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: origin }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: describeSecuritySchemes(serviceName),
      headers: listHeaders(operations),
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

const DESCRIPTION =
  'Chat completions from three models, billed by the token from a prepaid balance. Errors have the ' +
  'body `{ error: { code, message, retry_after? } }`. Retry 429 after `retry_after` seconds and 502 ' +
  'with exponential backoff; other 4xx give the same result again.'

const TAGS = [
  { name: 'chat', description: 'Conversations in, replies out.' },
  { name: 'models', description: 'What can be asked.' },
  { name: 'service', description: 'About this interface.' },
  { name: 'console', description: 'For a person who is signed in, about themselves.' },
  { name: 'operator', description: 'For whoever runs the service.' },
]

function describeSecuritySchemes(serviceName: string): Json {
  return {
    api_key: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key, \`${serviceName}_live_…\`.`,
    },
    operator_token: {
      type: 'http',
      scheme: 'bearer',
      description: "The operator's token.",
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'parley.session_token',
      description:
        'The cookie of who signed in at `/api/auth`; over https its name begins with `__Secure-`. ' +
        'Methods but GET and HEAD need an `Origin` of the service besides.',
    },
  }
}

/** Any of them is enough. */
function listSchemes(auth: Operation['auth']): readonly string[] {
  switch (auth) {
    case 'none':
      return []
    case 'api_key':
      return ['api_key']
    case 'operator_token':
      return ['operator_token', 'session']
    case 'session':
      return ['session']
  }
}

function describeOperation(operation: Operation, components: Map<string, Json>): Json {
  const { id, tag, summary, description, auth, body } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(operation.deprecation && { deprecated: true }),
    ...(description !== undefined && { description }),
    security: listSchemes(auth).map((scheme) => ({ [scheme]: [] })),
    ...describeParameters(operation, components),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refer(body.schema, components),
            examples: toExamples(body.examples),
          },
        },
      },
    }),
    responses: {
      ...describeSuccess(operation, components),
      ...describeFaults(operation, components),
    },
  }
}

function describeParameters({ params, query }: Operation, components: Map<string, Json>): Json {
  const parameters = [
    ...Object.entries(params?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      schema: refer(schema, components),
    })),
    ...Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema: refer(schema, components),
    })),
  ]
  return parameters.length > 0 ? { parameters } : {}
}

/** Those of a deprecation are only there where something is deprecated. */
function listHeaders(operations: readonly Operation[]): Json {
  const used = new Set<string>(['retry-after', ...operations.flatMap(headersOf)])
  return Object.fromEntries(Object.entries(HEADERS).filter(([name]) => used.has(name)))
}

/** With those that only a deprecated operation has. */
function headersOf({ headers, deprecation }: Operation): readonly HeaderName[] {
  if (!deprecation) return headers
  return [
    ...headers,
    'deprecation',
    ...(deprecation.sunset === undefined ? [] : ['sunset' as const]),
  ]
}

function describeSuccess(operation: Operation, components: Map<string, Json>): Json {
  const describe = ({ description, content }: SuccessReply) => ({
    description,
    headers: referHeaders(headersOf(operation)),
    ...(content.length > 0 && {
      content: Object.fromEntries(
        content.map(({ type, schema, examples }) => [
          type,
          { ...describeBody(type, refer(schema, components)), ...withExamples(examples) },
        ]),
      ),
    }),
  })
  return Object.fromEntries(
    Object.entries(operation.replies).map(([status, reply]) => [status, describe(reply)]),
  )
}

/** OpenAPI 3.1 has no word for the events of a stream: the body is text, its events are named. */
function describeBody(type: string, schema: Json): Json {
  if (type === 'application/json') return { schema }
  return {
    schema: {
      type: 'string',
      description: 'Server-sent events. `x-event` is what each `data:` line carries.',
      'x-event': schema,
    },
  }
}

function describeFaults(operation: Operation, components: Map<string, Json>): Json {
  const codes = [...operation.faults, ...EVERYWHERE]
  const statuses = [...new Set(codes.map((code) => FAULTS[code].status))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => FAULTS[code].status === status)
      return [status, describeFault(status, here, headersOf(operation), components)]
    }),
  )
}

function describeFault(
  status: number,
  codes: readonly FaultCode[],
  headers: readonly HeaderName[],
  components: Map<string, Json>,
): Json {
  const retry = status === 429 ? { retry_after: HEADERS['retry-after'].example } : {}
  return {
    description: codes.map((code) => `\`${code}\`: ${FAULTS[code].when}`).join('\n\n'),
    headers: referHeaders(status === 429 ? [...headers, 'retry-after'] : headers),
    content: {
      'application/json': {
        schema: refer(ErrorBody, components),
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { value: { error: { code, message: FAULTS[code].when, ...retry } } },
          ]),
        ),
      },
    },
  }
}

function referHeaders(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function toExamples(examples: Json): Json {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
}

function withExamples(examples: Json): Json {
  return Object.keys(examples).length > 0 ? { examples: toExamples(examples) } : {}
}

/** A schema with a title becomes a component of that name, and a reference to it. */
function refer(schema: object, components: Map<string, Json>): Json {
  const plain = referWithin(schema, components) as Json
  const { title, ...rest } = plain
  if (typeof title !== 'string') return plain
  components.set(title, rest)
  return { $ref: `#/components/schemas/${title}` }
}

function referWithin(value: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => referChild(item, components))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, referChild(child, components)]),
  )
}

function referChild(value: unknown, components: Map<string, Json>): unknown {
  const isSchema = typeof value === 'object' && value !== null && 'title' in value
  return isSchema && typeof value.title === 'string'
    ? refer(value, components)
    : referWithin(value, components)
}
