import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Answer } from './call.ts'
import type { Service } from './service.ts'

interface Document {
  readonly paths: Record<string, Record<string, Described>>
  readonly components: { readonly headers: Record<string, { readonly schema: object }> }
}

interface Described {
  readonly responses: Record<string, DescribedReply>
}

interface DescribedReply {
  readonly headers?: Record<string, unknown>
  readonly content?: Record<string, { readonly schema: Record<string, unknown> }>
}

/** Headers that a reply lacks where it was given before the limiter had its say. */
const LIMITER = /^(x-ratelimit|ratelimit)/
const BEFORE_LIMITER = [401, 500, 503]

let cached: Promise<{ document: Document; ajv: Ajv2020 }> | undefined

/** Fails where an answer is not what the served document says of its operation and status. */
export async function assertMatchesDocument(
  service: Service,
  method: string,
  path: string,
  answer: Answer,
): Promise<void> {
  // The document says the same on every service of the tests.
  cached ??= readDocument(service)
  const { document, ajv } = await cached
  const pathname = new URL(path, 'http://x').pathname
  const template = Object.keys(document.paths).find((one) => matches(one, pathname))
  const operation = template && document.paths[template]?.[method.toLowerCase()]
  if (method === 'HEAD') return assert.equal(answer.text, '')
  // Addresses and methods that are not in the document still answer in the common error body.
  if (!operation) return assertBody(ajv, errorSchema, answer, `${method} ${path}`)
  const reply = operation.responses[answer.status]
  assert.ok(reply, `${method} ${template} does not say that it answers ${answer.status}`)
  assertHeaders(reply, answer, `${method} ${template}`)
  const type = answer.headers.get('content-type')?.split(';')[0]
  if (!reply.content) return assert.equal(answer.text, '')
  const described = reply.content[type ?? '']
  assert.ok(described, `${method} ${template} does not say that it answers ${type}`)
  const event = described.schema['x-event']
  if (event === undefined) return assertBody(ajv, described.schema, answer, `${method} ${template}`)
  for (const line of answer.text.split('\n')) {
    if (!line.startsWith('data: ') || line === 'data: [DONE]') continue
    const chunk: unknown = JSON.parse(line.slice('data: '.length))
    assertValid(ajv, event as object, chunk, `${method} ${template} event`)
  }
}

const errorSchema = { $ref: 'document#/components/schemas/Error' }

async function readDocument(service: Service) {
  const response = await fetch(`${service.origin}/v1/openapi.json`)
  const document = (await response.json()) as Document
  const ajv = new Ajv2020({ strict: false, discriminator: false, allErrors: true })
  ajv.addSchema({ $id: 'document', ...document })
  return { document, ajv }
}

function matches(template: string, pathname: string): boolean {
  const pattern = template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(pathname)
}

function assertHeaders(reply: DescribedReply, answer: Answer, where: string): void {
  for (const name of Object.keys(reply.headers ?? {})) {
    if (LIMITER.test(name) && BEFORE_LIMITER.includes(answer.status)) continue
    assert.ok(answer.headers.get(name) !== null, `${where} lacks the header ${name}`)
  }
}

function assertBody(ajv: Ajv2020, schema: object, answer: Answer, where: string): void {
  assertValid(ajv, schema, answer.json, `${where} ${answer.status}`)
}

const compiled = new WeakMap<object, ValidateFunction>()

function assertValid(ajv: Ajv2020, schema: object, value: unknown, where: string): void {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(absolute(schema) as object)
    compiled.set(schema, validate)
  }
  assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors)}`)
}

/** References within the document, seen from outside it. */
function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) =>
      key === '$ref' && String(child).startsWith('#')
        ? [key, `document${String(child)}`]
        : [key, absolute(child)],
    ),
  )
}
