import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Type, type Static } from 'typebox'
import { parseDocument, type Document } from 'yaml'
import { LOG_LEVELS, type LogLevel } from '#platform/log.ts'
import { describeProblem, findProblems } from '#platform/schema/index.ts'
import type { Brand, BrandConfig, UpstreamOptions } from '#models/index.ts'

/** All that can be set. This file is the only reader of the environment and of parley.yaml. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Ends in "/v1". */
  readonly baseUrl: string
  readonly dataDir: string
  /** Undefined: one is made and kept in the data directory. */
  readonly operatorToken: string | undefined
  readonly production: boolean
  readonly logLevel: LogLevel
  readonly serviceName: string
  readonly identity: string
  readonly brands: Readonly<Record<Brand, BrandConfig>>
  /** Where to look for a model where none is configured; undefined in production. */
  readonly ollamaUrl: string | undefined
}

/** Everything that is wrong with the configuration, a sentence each, all at once. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((one) => `  - ${one}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process: passed on from here, so that tests can give another. */
export function readEnvironment(): Environment {
  return process.env
}

const DEFAULT_FILE = './parley.yaml'
const MAX_PROBLEMS = 50

const Milliseconds = Type.Integer({ minimum: 1, maximum: 3_600_000 })
const Tokens = Type.Integer({ minimum: 1, maximum: 100_000_000 })
const Name = Type.String({ minLength: 1, maxLength: 64 })

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
  },
  { additionalProperties: false },
)

const SimulatedUpstream = Type.Object(
  { name: Type.Optional(Name), kind: Type.Literal('simulated') },
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

const ConfigFile = Type.Object(
  {
    service: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9]{0,19}$' })),
          identity: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
        },
        { additionalProperties: false },
      ),
    ),
    models: Type.Optional(
      Type.Object(
        {
          air: Type.Optional(BrandEntry),
          prime: Type.Optional(BrandEntry),
          nova: Type.Optional(BrandEntry),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
type ConfigFile = Static<typeof ConfigFile>

/** Reads the environment and the file that it names. Throws a ConfigError with all that is wrong. */
export function readConfig(env: Environment): Config {
  const problems: string[] = []
  const file = readConfigFile(env, problems)
  const port = readPort(env, problems)
  const host = readHost(env, problems)
  const config: Config = {
    host,
    port,
    baseUrl: readBaseUrl(env, { host, port }, problems),
    dataDir: resolve(env['PARLEY_DATA_DIR'] ?? './data'),
    operatorToken: readOperatorToken(env, problems),
    production: env['NODE_ENV'] === 'production',
    logLevel: readLogLevel(env, problems),
    serviceName: file.service?.name ?? 'svc',
    identity: file.service?.identity ?? 'You are {model}, a helpful assistant.',
    brands: readBrands(file, readShortcut(env, problems)),
    ollamaUrl: readOllamaUrl(env),
  }
  if (env['DATABASE_URL']) {
    problems.push('DATABASE_URL: this version has the embedded store only; unset it')
  }
  refuseSimulated(config, env, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

function readConfigFile(env: Environment, problems: string[]): ConfigFile {
  const path = env['PARLEY_CONFIG'] ?? DEFAULT_FILE
  const text = readText(path)
  if (text instanceof Error) {
    problems.push(`PARLEY_CONFIG: cannot read ${path}`)
    return {}
  }
  if (text === undefined) {
    if (env['PARLEY_CONFIG'] !== undefined) problems.push(`PARLEY_CONFIG: cannot read ${path}`)
    return {}
  }
  const document = parseDocument(text, { resolveKnownTags: false })
  // A tag that it does not know is only a warning to the parser, which then takes the text for what it says.
  const broken = [...document.errors, ...document.warnings].slice(0, MAX_PROBLEMS)
  if (broken.length > 0) {
    problems.push(...broken.map((error) => `${path}: ${error.message.split('\n', 1)[0]}`))
    return {}
  }
  const plain = readPlain(document)
  if (plain instanceof Error) {
    problems.push(`${path}: aliases cannot be followed: ${plain.message.split('\n', 1)[0]}`)
    return {}
  }
  const value = interpolate(plain, '', env, (problem) => problems.push(`${path}: ${problem}`))
  const found = findProblems(ConfigFile, value, MAX_PROBLEMS)
  problems.push(...found.map((problem) => `${path}: ${describeProblem(problem, 'the file')}`))
  if (found.length > 0) return {}
  const file = value as ConfigFile
  problems.push(...findUpstreamProblems(file).map((problem) => `${path}: ${problem}`))
  return file
}

/** Aliases are followed only here: to nothing, to what they lie in, or too often. */
function readPlain(document: Document.Parsed): unknown {
  try {
    const plain: unknown = document.toJS() ?? {}
    // Fails where an alias lies within what it stands for, which has no end.
    JSON.stringify(plain)
    return plain
  } catch (error) {
    return error
  }
}

function readText(path: string): string | Error | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : (error as Error)
  }
}

/** Puts the environment's values where a text says "${NAME}", so that secrets need not be in a file. */
function interpolate(
  value: unknown,
  path: string,
  env: Environment,
  report: (problem: string) => void,
): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
      const found = Object.hasOwn(env, name) ? env[name] : undefined
      if (found === undefined) report(`${path}: the environment variable ${name} is not set`)
      return found ?? ''
    })
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => interpolate(item, `${path}[${index}]`, env, report))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const childPath = path === '' ? key : `${path}.${key}`
      return [key, interpolate(child, childPath, env, report)]
    }),
  )
}

/** What a schema cannot say: addresses that are addresses, names that are told apart. */
function findUpstreamProblems(file: ConfigFile): string[] {
  return Object.entries(file.models ?? {}).flatMap(([brand, entry]) => {
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
      ]
    })
  })
}

function readBrands(
  file: ConfigFile,
  shortcut: UpstreamOptions | undefined,
): Record<Brand, BrandConfig> {
  const read = (entry: BrandEntry | undefined): BrandConfig => ({
    ...given('contextWindow', entry?.context_window),
    ...given('maxOutputTokens', entry?.max_output_tokens),
    upstreams: entry?.upstreams?.map(readUpstream) ?? (shortcut ? [shortcut] : []),
  })
  return {
    air: read(file.models?.air),
    prime: read(file.models?.prime),
    nova: read(file.models?.nova),
  }
}

/** Null, as an empty line of YAML reads, is the same as leaving a setting out. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): Partial<Record<Name, Value>> {
  const named: Partial<Record<Name, Value>> = {}
  if (value !== null && value !== undefined) named[name] = value
  return named
}

function readUpstream(entry: UpstreamEntry): UpstreamOptions {
  if (entry.kind === 'simulated') return { kind: 'simulated' }
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
  }
}

/** One upstream for all three brands, without a file. */
function readShortcut(env: Environment, problems: string[]): UpstreamOptions | undefined {
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

function readPort(env: Environment, problems: string[]): number {
  const text = env['PORT'] ?? '8080'
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  problems.push('PORT: must be a number from 1 to 65535')
  return 8080
}

function readHost(env: Environment, problems: string[]): string {
  const host = env['HOST'] ?? '127.0.0.1'
  if (isIP(host) > 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) return host
  problems.push('HOST: must be an IP address or a host name')
  return '127.0.0.1'
}

function readBaseUrl(
  env: Environment,
  { host, port }: { readonly host: string; readonly port: number },
  problems: string[],
): string {
  const url = env['PARLEY_BASE_URL']
  if (url === undefined) return `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1`
  if (isHttpUrl(url) && url.endsWith('/v1')) return url
  problems.push('PARLEY_BASE_URL: must be an http or https address that ends in /v1')
  return url
}

const MIN_TOKEN_LENGTH = 24

function readOperatorToken(env: Environment, problems: string[]): string | undefined {
  const token = env['PARLEY_OPERATOR_TOKEN']
  if (token !== undefined && (token.length < MIN_TOKEN_LENGTH || /\s/.test(token))) {
    problems.push(
      `PARLEY_OPERATOR_TOKEN: must be at least ${MIN_TOKEN_LENGTH} characters without spaces`,
    )
  }
  return token
}

function readLogLevel(env: Environment, problems: string[]): LogLevel {
  const text = env['LOG_LEVEL'] ?? 'info'
  const level = LOG_LEVELS.find((one) => one === text)
  if (level === undefined) problems.push(`LOG_LEVEL: must be one of ${LOG_LEVELS.join(', ')}`)
  return level ?? 'info'
}

/** OLLAMA_HOST is Ollama's own variable; it may lack the scheme. */
function readOllamaUrl(env: Environment): string | undefined {
  if (env['NODE_ENV'] === 'production') return undefined
  const host = env['OLLAMA_HOST'] ?? ''
  if (host === '') return 'http://127.0.0.1:11434'
  if (host.includes('://')) return host
  return /:\d+$/.test(host) ? `http://${host}` : `http://${host}:11434`
}

/** A stand-in that answers paying callers would be a lie. */
function refuseSimulated(config: Config, env: Environment, problems: string[]): void {
  if (!config.production || env['PARLEY_ALLOW_SIMULATED'] === '1') return
  for (const [brand, { upstreams }] of Object.entries(config.brands)) {
    if (upstreams.length > 0 && !upstreams.some(({ kind }) => kind === 'simulated')) continue
    problems.push(
      `models.${brand}: has no upstream but the simulated model, which production refuses; ` +
        'configure one, or set PARLEY_ALLOW_SIMULATED=1',
    )
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
