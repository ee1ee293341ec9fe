import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createContract, FAULTS, type Operation } from '#api/contract/index.ts'
import type { JsonSchema } from '#platform/schema/index.ts'
import { readEvents } from '../support/call.ts'

const ORIGIN = 'http://127.0.0.1:8080'
const contract = createContract('svc')
const operations: readonly Operation[] = contract.operations
/** As it goes over the wire: what JSON leaves out is not there. */
const document = JSON.parse(JSON.stringify(contract.openapi(ORIGIN))) as Document

interface Document {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>
    readonly headers: Readonly<Record<string, DescribedHeader>>
    readonly schemas: Readonly<Record<string, object>>
  }
}

interface DescribedHeader {
  readonly description: string
  readonly schema: object
  readonly example: unknown
}

interface Described {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Reply>>
}

interface Reply {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Content
}

type Content = Readonly<Record<string, Media>>

interface Media {
  readonly schema: { readonly 'x-event'?: { readonly $ref: string } }
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

const ajv = new Ajv2020({ strict: false, discriminator: true, allErrors: true })
ajv.addSchema({ $id: 'document', ...document })

/** The operations of the document, each beside what the contract declares. */
const described = operations.map((operation) => {
  const written = document.paths[operation.path]?.[operation.method]
  assert.ok(written, `${operation.id} is not in the document`)
  return { operation, written }
})

test('the document has the operations of the contract, and no others', () => {
  const written = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const ids = written.map(({ operationId }) => operationId)
  assert.deepEqual(ids.toSorted(), operations.map(({ id }) => id).toSorted())
  assert.equal(new Set(ids).size, ids.length)
})

for (const { operation, written } of described) {
  test(`the examples of ${operation.id} are true to their schemas`, () => {
    const bodies = [written.requestBody?.content, ...repliesOf(written)]
    const media = bodies.flatMap((content) => Object.entries(content ?? {}))
    assert.ok(media.length > 0)
    for (const [type, { schema, examples }] of media) {
      for (const [name, { value }] of Object.entries(examples ?? {})) {
        if (type !== 'text/event-stream') assertValid(schema, value, `${type} ${name}`)
        else if (operation.id === 'watchOwnStanding') assertEvents(schema['x-event'], String(value))
        else assertTranscript(schema['x-event'], String(value))
      }
    }
  })

  test(`${operation.id} says who may ask, what it takes and every way it can fail`, () => {
    assert.match(written.summary, /\S/)
    assert.ok(written.tags.every((tag) => document.tags.some(({ name }) => name === tag)))
    const schemes = written.security.flatMap((one) => Object.keys(one))
    assert.deepEqual(schemes, SCHEMES[operation.auth])
    assert.ok(schemes.every((scheme) => scheme in document.components.securitySchemes))
    const placed = (written.parameters ?? []).map((one) => `${one.in} ${one.name}`)
    assert.deepEqual(placed, [
      ...namesOf(operation.params).map((name) => `path ${name}`),
      ...namesOf(operation.query).map((name) => `query ${name}`),
    ])
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(namesOf(operation.params), inPath)
    assert.deepEqual(operation.query?.required ?? [], [], 'queries are documented as optional')
    assertFaults(written, [...operation.faults, 'internal_error'])
  })

  test(`every reply of ${operation.id} documents x-request-id, and Retry-After on 429 alone`, () => {
    for (const [status, { headers }] of Object.entries(written.responses)) {
      assert.deepEqual(headers['x-request-id'], { $ref: '#/components/headers/x-request-id' })
      assert.equal('retry-after' in headers, status === '429', status)
      for (const name of operation.headers) assert.ok(name in headers, `${status}: ${name}`)
    }
  })

  test(`the service enforces every keyword that ${operation.id} describes its input with`, () => {
    for (const schema of [operation.params, operation.query, operation.body?.schema]) {
      if (schema) assertEnforced(JSON.parse(JSON.stringify(schema)), operation.id)
    }
  })
}

/** What opens an operation: any of them is enough. */
const SCHEMES = {
  none: [],
  api_key: ['api_key'],
  operator_token: ['operator_token', 'session'],
  session: ['session'],
}

function namesOf(schema: { readonly properties: object } | undefined): string[] {
  return Object.keys(schema?.properties ?? {})
}

function repliesOf({ responses }: Described): (Content | undefined)[] {
  return Object.values(responses).map(({ content }) => content)
}

function assertTranscript(event: { readonly $ref: string } | undefined, transcript: string): void {
  assert.equal(event?.$ref, '#/components/schemas/ChatCompletionChunk')
  const chunks = readEvents(transcript)
  assert.ok(chunks.length > 2)
  for (const chunk of chunks) assertValid(event, chunk, 'event')
  assert.equal(chunks[0].choices[0].delta.role, 'assistant')
  assert.ok(chunks.at(-1).usage)
  assert.equal(chunks.at(-1).choices[0].finish_reason, 'stop')
}

/** Of the events of a transcript those that carry something, which is what the document says. */
function assertEvents(event: { readonly $ref: string } | undefined, transcript: string): void {
  assert.equal(event?.$ref, '#/components/schemas/OwnStanding')
  const sent = [...transcript.matchAll(/^event: standing\ndata: (.+)\n\n/gm)]
  assert.ok(sent.length > 0)
  for (const [, data] of sent) assertValid(event, JSON.parse(String(data)), 'event')
}

/** Each code once, under its own status, with an example that carries it. */
function assertFaults(written: Described, codes: readonly (keyof typeof FAULTS)[]): void {
  const failures = Object.entries(written.responses).filter(([status]) => Number(status) >= 400)
  const shown = failures.flatMap(([status, { content }]) => {
    const { schema, examples = {} } = content!['application/json']!
    assert.deepEqual(schema, { $ref: '#/components/schemas/Error' })
    return Object.entries(examples).map(([code, { value }]) => {
      const { error } = value as { error: { code: string; retry_after?: number } }
      assert.equal(error.code, code)
      assert.equal(error.retry_after !== undefined, status === '429')
      return `${status} ${code}`
    })
  })
  const wanted = codes.map((code) => `${FAULTS[code].status} ${code}`)
  assert.deepEqual(shown.toSorted(), wanted.toSorted())
}

/** The compiler keeps this list as long as the part of JSON Schema that is enforced. */
const enforced: Readonly<Record<keyof JsonSchema, true>> = {
  type: true,
  const: true,
  enum: true,
  minLength: true,
  maxLength: true,
  pattern: true,
  'x-meaning': true,
  minimum: true,
  maximum: true,
  exclusiveMinimum: true,
  minItems: true,
  maxItems: true,
  items: true,
  properties: true,
  required: true,
  additionalProperties: true,
  oneOf: true,
  anyOf: true,
  discriminator: true,
  '~kind': true,
  '~unsafe': true,
}
const annotations = ['title', 'description', 'default', 'examples']

function assertEnforced(schema: JsonSchema, where: string): void {
  for (const keyword of Object.keys(schema)) {
    assert.ok(keyword in enforced || annotations.includes(keyword), `${where}: ${keyword}`)
  }
  const { properties = {}, items, additionalProperties, oneOf = [], anyOf = [] } = schema
  for (const [name, child] of Object.entries(properties)) assertEnforced(child, `${where}.${name}`)
  if (items) assertEnforced(items, `${where}[]`)
  if (typeof additionalProperties === 'object') assertEnforced(additionalProperties, `${where}.*`)
  for (const branch of [...oneOf, ...anyOf]) assertEnforced(branch, where)
}

test('every reference of the document leads somewhere, and no component is left unused', () => {
  const references = new Set(findAll(document, '$ref').map(({ value }) => String(value)))
  assert.ok(references.size > 10)
  for (const reference of references) {
    assert.match(reference, /^#\//)
    assert.notEqual(resolve(reference), undefined, reference)
  }
  const { schemas, headers, securitySchemes } = document.components
  for (const [kind, components] of Object.entries({ schemas, headers })) {
    for (const name of Object.keys(components)) {
      assert.ok(references.has(`#/components/${kind}/${name}`), `${kind} ${name} is unused`)
    }
  }
  const used = described
    .flatMap(({ written }) => written.security)
    .flatMap((one) => Object.keys(one))
  assert.deepEqual([...new Set(used)].toSorted(), Object.keys(securitySchemes).toSorted())
})

test('every header is described, with a schema and an example true to it', () => {
  const named = new Set(operations.flatMap(({ headers }) => [...headers]))
  for (const name of named) assert.ok(name in document.components.headers, name)
  for (const [name, header] of Object.entries(document.components.headers)) {
    assert.equal(name, name.toLowerCase())
    assert.match(header.description, /\S/)
    assertValid(header.schema, header.example, name)
  }
})

test('the examples and defaults within schemas are true to them', () => {
  const { schemas } = document.components
  let tried = 0
  for (const { holder, value } of [
    ...findAll(schemas, 'examples'),
    ...findAll(schemas, 'default'),
  ]) {
    for (const one of [value].flat()) {
      assertValid(holder, one, JSON.stringify(holder))
      tried += 1
    }
  }
  assert.ok(tried > 0)
})

test('each schema of the document is JSON Schema 2020-12', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.equal(ajv.validateSchema(schema), true, `${name}: ${ajv.errorsText()}`)
  }
})

test('another service name changes the document wherever it is told, and nothing else', () => {
  const kiosk = JSON.stringify(createContract('kiosk').openapi(ORIGIN))
  const svc = JSON.stringify(contract.openapi(ORIGIN))
  assert.equal(kiosk.includes('svc'), false)
  assert.equal(svc.includes('kiosk'), false)
  assert.equal(kiosk.replaceAll('kiosk', 'svc'), svc)
  for (const brand of ['air', 'prime', 'nova']) assert.ok(kiosk.includes(`"kiosk-${brand}-v1"`))
  const { schemas, securitySchemes } = (JSON.parse(kiosk) as Document).components
  const ids = ['kiosk-air-v1', 'kiosk-prime-v1', 'kiosk-nova-v1']
  for (const name of ['ChatCompletion', 'ChatCompletionChunk', 'Model']) {
    const { properties = {} } = schemas[name] as JsonSchema
    const { enum: told } = properties['model'] ?? properties['id'] ?? {}
    assert.deepEqual(told, ids, name)
  }
  assert.equal((schemas['Model'] as JsonSchema).properties?.['owned_by']?.const, 'kiosk')
  assert.match(JSON.stringify(securitySchemes['api_key']), /kiosk_live_/)
})

test('the committed openapi.json is the document', () => {
  const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  assert.equal(committed, `${JSON.stringify(document, null, 2)}\n`)
})

function assertValid(schema: object, value: unknown, where: string): void {
  const valid = ajv.validate(absolute(schema) as object, value)
  assert.ok(valid, `${where}: ${ajv.errorsText(ajv.errors)}`)
}

/** References within the document, seen from outside it. */
function absolute(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#'))
}

interface Found {
  /** The object that has the key. */
  readonly holder: object
  readonly value: unknown
}

function findAll(within: unknown, key: string): Found[] {
  if (typeof within !== 'object' || within === null) return []
  return Object.entries(within).flatMap(([name, value]) =>
    name === key ? [{ holder: within, value }] : findAll(value, key),
  )
}

function resolve(reference: string): unknown {
  const steps = reference.slice(2).split('/')
  return steps.reduce<unknown>(
    (place, step) => (place as Readonly<Record<string, unknown>> | undefined)?.[step],
    document,
  )
}
