import { Type, type Static } from 'typebox'
import { isHttpUrl } from '#platform/http-url.ts'
import type { Brand, BrandConfig, UpstreamOptions } from '#models/index.ts'
import type { Environment } from './config.ts'

const Milliseconds = Type.Integer({ minimum: 1, maximum: 3_600_000 })
const Tokens = Type.Integer({ minimum: 1, maximum: 100_000_000 })
const Name = Type.String({ minLength: 1, maxLength: 64 })

/** When an upstream is asked, and how much of it; for every kind. */
const laneSettings = {
  priority: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  max_concurrent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  requests_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
}

const OpenaiUpstream = Type.Object(
  {
    name: Name,
    kind: Type.Literal('openai'),
    url: Type.String({ minLength: 1 }),
    model: Type.String({ minLength: 1 }),
    api_key: Type.Optional(Type.String()),
    connect_timeout_ms: Type.Optional(Milliseconds),
    timeout_ms: Type.Optional(Milliseconds),
    idle_timeout_ms: Type.Optional(Milliseconds),
    continuous_usage: Type.Optional(Type.Boolean()),
    send_reasoning: Type.Optional(Type.Boolean()),
    ...laneSettings,
  },
  { additionalProperties: false },
)

const SimulatedUpstream = Type.Object(
  { name: Type.Optional(Name), kind: Type.Literal('simulated'), ...laneSettings },
  { additionalProperties: false },
)

type UpstreamEntry = Static<typeof OpenaiUpstream> | Static<typeof SimulatedUpstream>

const BrandEntry = Type.Object(
  {
    context_window: Type.Optional(Tokens),
    max_output_tokens: Type.Optional(Tokens),
    upstreams: Type.Optional(
      Type.Array(
        Type.Unsafe<UpstreamEntry>({
          type: 'object',
          discriminator: { propertyName: 'kind' },
          oneOf: [OpenaiUpstream, SimulatedUpstream],
        }),
        { minItems: 1, maxItems: 16 },
      ),
    ),
  },
  { additionalProperties: false },
)
type BrandEntry = Static<typeof BrandEntry>

/** What parley.yaml says under `models:`. */
export const ModelEntries = Type.Object(
  {
    air: Type.Optional(BrandEntry),
    prime: Type.Optional(BrandEntry),
    nova: Type.Optional(BrandEntry),
  },
  { additionalProperties: false },
)
type ModelEntries = Static<typeof ModelEntries>

/** What a schema cannot say: addresses that are addresses, names that are told apart. */
export function findUpstreamProblems(models: ModelEntries): string[] {
  return Object.entries(models).flatMap(([brand, entry]) => {
    const names = new Set<string>()
    return (entry?.upstreams ?? []).flatMap((upstream, index) => {
      const path = `models.${brand}.upstreams[${index}]`
      const name = upstream.name ?? upstream.kind
      const repeated = names.has(name)
      names.add(name)
      return [
        ...(repeated
          ? [`${path}.name: "${name}" is the name of another upstream of ${brand}`]
          : []),
        ...(upstream.kind === 'openai' && !isHttpUrl(upstream.url)
          ? [`${path}.url: must be an address that begins with http:// or https://`]
          : []),
        ...(isGiven(upstream.weight) && !isGiven(upstream.priority)
          ? [`${path}.weight: set priority too; upstreams of one priority share by their weights`]
          : []),
      ]
    })
  })
}

export function readBrands(
  models: ModelEntries,
  shortcut: UpstreamOptions | undefined,
): Record<Brand, BrandConfig> {
  const read = (entry: BrandEntry | undefined): BrandConfig => ({
    ...given('contextWindow', entry?.context_window),
    ...given('maxOutputTokens', entry?.max_output_tokens),
    upstreams: entry?.upstreams?.map(readUpstream) ?? (shortcut ? [shortcut] : []),
  })
  return {
    air: read(models.air),
    prime: read(models.prime),
    nova: read(models.nova),
  }
}

/** Null, as an empty line of YAML reads, is the same as leaving a setting out. */
function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): Partial<Record<Name, Value>> {
  const named: Partial<Record<Name, Value>> = {}
  if (isGiven(value)) named[name] = value
  return named
}

function readUpstream(entry: UpstreamEntry): UpstreamOptions {
  const settings = {
    ...given('priority', entry.priority),
    ...given('weight', entry.weight),
    ...given('maxConcurrent', entry.max_concurrent),
    ...given('requestsPerMinute', entry.requests_per_minute),
  }
  if (entry.kind === 'simulated') {
    return { kind: 'simulated', ...given('name', entry.name), ...settings }
  }
  return {
    kind: 'openai',
    name: entry.name,
    url: entry.url,
    model: entry.model,
    apiKey: entry.api_key ?? undefined,
    ...given('connectTimeoutMs', entry.connect_timeout_ms),
    ...given('timeoutMs', entry.timeout_ms),
    ...given('idleTimeoutMs', entry.idle_timeout_ms),
    ...given('continuousUsage', entry.continuous_usage),
    ...given('sendReasoning', entry.send_reasoning),
    ...settings,
  }
}

/** One upstream for all three brands, without a file. */
export function readShortcut(env: Environment, problems: string[]): UpstreamOptions | undefined {
  const url = env['PARLEY_UPSTREAM_URL']
  const model = env['PARLEY_UPSTREAM_MODEL']
  if (url === undefined) {
    if (model !== undefined) problems.push('PARLEY_UPSTREAM_MODEL: set PARLEY_UPSTREAM_URL too')
    return undefined
  }
  if (!isHttpUrl(url)) {
    problems.push('PARLEY_UPSTREAM_URL: must be an address that begins with http:// or https://')
    return undefined
  }
  if (model === undefined) {
    problems.push('PARLEY_UPSTREAM_MODEL: say which model PARLEY_UPSTREAM_URL should run')
    return undefined
  }
  return {
    kind: 'openai',
    name: 'default',
    url,
    model,
    apiKey: env['PARLEY_UPSTREAM_KEY'],
  }
}
