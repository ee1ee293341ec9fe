import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Scope } from '../support/service.ts'

/** By their numbers in OTLP. */
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const

/** A span as OTLP sends it, with plain attributes. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty, or missing, for the first of a trace. */
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: (typeof KINDS)[number]
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Collector {
  /** The base address that exporters are told. */
  readonly url: string
  readonly spans: readonly SentSpan[]
  /** All that was sent, as it came. */
  readonly texts: readonly string[]
}

/** Takes spans as a collector does, by OTLP over HTTP, in JSON. */
export async function startCollector(scope: Scope): Promise<Collector> {
  const spans: SentSpan[] = []
  const texts: string[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const text = bytes.toString()
      texts.push(text)
      if (request.url === '/v1/traces') spans.push(...readSpans(JSON.parse(text)))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, texts }
}

type WireSpan = Omit<SentSpan, 'attributes' | 'kind'> & {
  readonly kind: number
  readonly attributes: readonly WireAttribute[]
}

interface WireAttribute {
  readonly key: string
  readonly value: WireValue
}

/** One of `stringValue`, `intValue`, `doubleValue`, `boolValue`, or `arrayValue` with more of them. */
type WireValue = Readonly<Record<string, unknown>>

function readSpans(sent: {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}): SentSpan[] {
  const wired = sent.resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans))
  return wired.map((span) => ({
    ...span,
    kind: KINDS[span.kind] ?? 'unspecified',
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, toPlain(value)])),
  }))
}

function toPlain(value: WireValue): unknown {
  const [[kind, plain] = []] = Object.entries(value)
  if (kind !== 'arrayValue') return plain
  return (plain as { readonly values: readonly WireValue[] }).values.map(toPlain)
}
