import { basename, resolve } from 'node:path'
import { Type, type Static } from 'typebox'
import { isHttpUrl } from '#platform/http-url.ts'
import {
  listModelFiles,
  readModelFile,
  type Brand,
  type BrandConfig,
  type ProviderOptions,
  type UpstreamOptions,
} from '#models/index.ts'
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

const Text = Type.String({ minLength: 1 })

const deadlines = {
  connect_timeout_ms: Type.Optional(Milliseconds),
  timeout_ms: Type.Optional(Milliseconds),
  idle_timeout_ms: Type.Optional(Milliseconds),
}

const OpenaiUpstream = Type.Object(
  {
    name: Name,
    kind: Type.Literal('openai'),
    url: Text,
    model: Text,
    api_key: Type.Optional(Type.String()),
    ...deadlines,
    continuous_usage: Type.Optional(Type.Boolean()),
    send_reasoning: Type.Optional(Type.Boolean()),
    ...laneSettings,
  },
  { additionalProperties: false },
)

/** Of every provider whose own format is spoken. */
const providerSettings = {
  name: Name,
  url: Type.Optional(Text),
  model: Text,
  thinking_tokens: Type.Optional(Type.Integer({ minimum: 1_024, maximum: 1_000_000 })),
  thinking_effort: Type.Optional(Type.Enum(['low', 'medium', 'high'])),
  ...deadlines,
  ...laneSettings,
}

const AnthropicUpstream = Type.Object(
  { kind: Type.Literal('anthropic'), api_key: Text, ...providerSettings },
  { additionalProperties: false },
)

const GoogleUpstream = Type.Object(
  { kind: Type.Literal('google'), api_key: Text, ...providerSettings },
  { additionalProperties: false },
)

const BedrockUpstream = Type.Object(
  {
    kind: Type.Literal('bedrock'),
    region: Type.String({ pattern: '^[a-z]{2,}(-[a-z]+)+-[0-9]+$' }),
    api_key: Type.Optional(Text),
    access_key_id: Type.Optional(Text),
    secret_access_key: Type.Optional(Text),
    session_token: Type.Optional(Text),
    ...providerSettings,
  },
  { additionalProperties: false },
)

const SimulatedUpstream = Type.Object(
  { name: Type.Optional(Name), kind: Type.Literal('simulated'), ...laneSettings },
  { additionalProperties: false },
)

const LlamaUpstream = Type.Object(
  {
    name: Name,
    kind: Type.Literal('llama'),
    path: Text,
    context_tokens: Type.Optional(Type.Integer({ minimum: 256, maximum: 10_000_000 })),
    sequences: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
    threads: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_024 })),
    ...laneSettings,
  },
  { additionalProperties: false },
)

type ProviderEntry =
  | Static<typeof AnthropicUpstream>
  | Static<typeof GoogleUpstream>
  | Static<typeof BedrockUpstream>
type UpstreamEntry =
  | Static<typeof OpenaiUpstream>
  | Static<typeof SimulatedUpstream>
  | Static<typeof LlamaUpstream>
  | ProviderEntry

const BrandEntry = Type.Object(
  {
    context_window: Type.Optional(Tokens),
    max_output_tokens: Type.Optional(Tokens),
    upstreams: Type.Optional(
      Type.Array(
        Type.Unsafe<UpstreamEntry>({
          type: 'object',
          discriminator: { propertyName: 'kind' },
          oneOf: [
            OpenaiUpstream,
            SimulatedUpstream,
            AnthropicUpstream,
            GoogleUpstream,
            BedrockUpstream,
            LlamaUpstream,
          ],
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

/** What a schema cannot say: names that are told apart, and what each upstream needs or must not have. */
export function findUpstreamProblems(models: ModelEntries): string[] {
  return Object.entries(models).flatMap(([brand, entry]) => {
    const names = new Set<string>()
    return (entry?.upstreams ?? []).flatMap((upstream, index) => {
      const path = `models.${brand}.upstreams[${index}]`
      const name = upstream.name ?? upstream.kind
      const repeated = names.has(name)
      names.add(name)
      const problems = findProblemsOf(upstream)
      if (repeated) problems.unshift(`name: "${name}" is the name of another upstream of ${brand}`)
      return problems.map((problem) => `${path}.${problem}`)
    })
  })
}

function findProblemsOf(upstream: UpstreamEntry): string[] {
  const problems: string[] = []
  if ('url' in upstream && isGiven(upstream.url) && !isHttpUrl(upstream.url)) {
    problems.push('url: must be an address that begins with http:// or https://')
  }
  if (isGiven(upstream.weight) && !isGiven(upstream.priority)) {
    problems.push('weight: set priority too; upstreams of one priority share by their weights')
  }
  if (
    'thinking_effort' in upstream &&
    isGiven(upstream.thinking_effort) &&
    isGiven(upstream.thinking_tokens)
  ) {
    problems.push('thinking_effort: set this or thinking_tokens, not both')
  }
  if (upstream.kind === 'llama' && !readModelFile(upstream.path)) {
    problems.push(`path: there is no file ${upstream.path}`)
  }
  if (upstream.kind === 'bedrock') problems.push(...findAccessProblems(upstream))
  return problems
}

function findAccessProblems(entry: Static<typeof BedrockUpstream>): string[] {
  const hasKey = isGiven(entry.api_key)
  const hasPair = isGiven(entry.access_key_id) && isGiven(entry.secret_access_key)
  const hasAny = [entry.access_key_id, entry.secret_access_key, entry.session_token].some(isGiven)
  if (hasKey ? !hasAny : hasPair) return []
  return ['api_key: set this, or access_key_id and secret_access_key, but not both']
}

export interface BrandSource {
  readonly models: ModelEntries
  /** For each brand that has no upstreams of its own. */
  readonly shortcut: UpstreamOptions | undefined
  readonly dataDir: string
}

export function readBrands({ models, shortcut, dataDir }: BrandSource): Record<Brand, BrandConfig> {
  const read = (entry: BrandEntry | undefined): BrandConfig => ({
    ...given('contextWindow', entry?.context_window),
    ...given('maxOutputTokens', entry?.max_output_tokens),
    upstreams:
      entry?.upstreams?.map((one) => readUpstream(one, dataDir)) ?? (shortcut ? [shortcut] : []),
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

function readUpstream(entry: UpstreamEntry, dataDir: string): UpstreamOptions {
  const settings = {
    ...given('priority', entry.priority),
    ...given('weight', entry.weight),
    ...given('maxConcurrent', entry.max_concurrent),
    ...given('requestsPerMinute', entry.requests_per_minute),
  }
  if (entry.kind === 'simulated') {
    return { kind: 'simulated', ...given('name', entry.name), ...settings }
  }
  if (entry.kind === 'llama') {
    return {
      kind: 'llama',
      name: entry.name,
      path: resolve(entry.path),
      dataDir,
      ...given('contextTokens', entry.context_tokens),
      ...given('sequences', entry.sequences),
      ...given('threads', entry.threads),
      ...settings,
    }
  }
  const { name, model } = entry
  const server = {
    name,
    model,
    apiKey: entry.api_key ?? undefined,
    ...given('connectTimeoutMs', entry.connect_timeout_ms),
    ...given('timeoutMs', entry.timeout_ms),
    ...given('idleTimeoutMs', entry.idle_timeout_ms),
    ...settings,
  }
  if (entry.kind === 'openai') {
    return {
      ...server,
      kind: 'openai',
      url: entry.url,
      ...given('continuousUsage', entry.continuous_usage),
      ...given('sendReasoning', entry.send_reasoning),
    }
  }
  return { ...server, ...readProvider(entry) }
}

function readProvider(entry: ProviderEntry): Omit<ProviderOptions, 'name' | 'model' | 'apiKey'> {
  return {
    kind: entry.kind,
    ...given('url', entry.url),
    ...given('thinkingTokens', entry.thinking_tokens),
    ...given('thinkingEffort', entry.thinking_effort),
    ...(entry.kind === 'bedrock' && {
      region: entry.region,
      ...given('accessKeyId', entry.access_key_id),
      ...given('secretAccessKey', entry.secret_access_key),
      ...given('sessionToken', entry.session_token),
    }),
  }
}

/** One upstream for all three brands, without a file: a server, a model file, or one that was found. */
export function readShortcut(
  env: Environment,
  dataDir: string,
  problems: string[],
): UpstreamOptions | undefined {
  const server = readServer(env, problems)
  const path = env['PARLEY_MODEL']
  if (path === undefined) return server ?? findModel(dataDir)
  if (env['PARLEY_UPSTREAM_URL'] !== undefined) {
    problems.push('PARLEY_MODEL: set this or PARLEY_UPSTREAM_URL, not both')
  }
  if (!readModelFile(path)) problems.push(`PARLEY_MODEL: there is no file ${path}`)
  return runHere(resolve(path), dataDir)
}

/** The model file of the data directory that is used, where there is one. */
function findModel(dataDir: string): UpstreamOptions | undefined {
  const [file] = listModelFiles(dataDir)
  return file && runHere(file.path, dataDir)
}

function runHere(path: string, dataDir: string): UpstreamOptions {
  return { kind: 'llama', name: basename(path, '.gguf').slice(0, 64), path, dataDir }
}

function readServer(env: Environment, problems: string[]): UpstreamOptions | undefined {
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
