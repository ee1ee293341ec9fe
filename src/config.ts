import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Type, type Static } from 'typebox'
import { parseDocument, type Document } from 'yaml'
import { LOG_LEVELS, type LogLevel } from '#platform/log.ts'
import { isPostgresUrl } from '#platform/postgres-url.ts'
import { describeProblem, findProblems } from '#platform/schema/index.ts'
import { isHttpUrl } from '#platform/http-url.ts'
import type { Brand, BrandConfig } from '#models/index.ts'
import type { Seller } from '#payments/index.ts'
import { readDrain, type DrainConfig } from './drain-config.ts'
import { readPayments, readSeller, SellerEntry, type PaymentConfig } from './payment-config.ts'
import { findUpstreamProblems, ModelEntries, readBrands, readShortcut } from './model-config.ts'

/** All that can be set. This file is the only reader of the environment and of parley.yaml. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Ends in "/v1". */
  readonly baseUrl: string
  /** The origin of {auth_url}, where people sign in: no path. */
  readonly issuer: string
  /** Whose word on who called is taken (X-Forwarded-For): addresses or networks. */
  readonly trustedProxies: readonly string[]
  readonly dataDir: string
  /** Of a PostgreSQL; undefined: the embedded store in the data directory. */
  readonly databaseUrl: string | undefined
  /** Undefined: one is made and kept in the data directory. */
  readonly operatorToken: string | undefined
  /** What the store's secrets are encrypted with. Undefined: one is made and kept in the data directory. */
  readonly secret: string | undefined
  /** How mail is sent; undefined: there is none in production, and files in the data directory else. */
  readonly smtp: SmtpConfig | undefined
  /** Where metrics and health are told; undefined: nowhere. */
  readonly ops: OpsAddress | undefined
  readonly drain: DrainConfig
  readonly production: boolean
  readonly logLevel: LogLevel
  readonly serviceName: string
  /** What the system message says that is placed before every conversation. */
  readonly identityText: string
  readonly brands: Readonly<Record<Brand, BrandConfig>>
  /** Where to look for a model where none is configured; undefined in production. */
  readonly ollamaUrl: string | undefined
  readonly payments: PaymentConfig
  /** As receipts name it. */
  readonly seller: Seller
  /** How many whole months before the current one keep their receipts; undefined: all. */
  readonly retentionMonths: number | undefined
}

export interface OpsAddress {
  readonly host: string
  readonly port: number
  /** False for the default: where something else listens there, the service does without. */
  readonly isChosen: boolean
}

export interface SmtpConfig {
  readonly url: string
  /** Whom mails are from: an address, with or without a name. */
  readonly from: string
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

/** All that parley.yaml can say. */
export const ConfigFile = Type.Object(
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
    models: Type.Optional(ModelEntries),
    seller: Type.Optional(SellerEntry),
    retention_months: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_200 })),
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
  const baseUrl = readBaseUrl(env, { host, port }, problems)
  const dataDir = resolve(env['PARLEY_DATA_DIR'] ?? './data')
  const config: Config = {
    host,
    port,
    baseUrl,
    issuer: readIssuer(env, baseUrl, problems),
    trustedProxies: readTrustedProxies(env, problems),
    dataDir,
    databaseUrl: readDatabaseUrl(env, problems),
    operatorToken: readOperatorToken(env, problems),
    secret: readSecret(env, problems),
    smtp: readSmtp(env, problems),
    ops: readOps(env, problems),
    drain: readDrain(env, problems),
    production: env['NODE_ENV'] === 'production',
    logLevel: readLogLevel(env, problems),
    serviceName: file.service?.name ?? 'svc',
    identityText: file.service?.identity ?? 'You are {model}, a helpful assistant.',
    brands: readBrands({
      models: file.models ?? {},
      shortcut: readShortcut(env, dataDir, problems),
      dataDir,
    }),
    ollamaUrl: readOllamaUrl(env),
    payments: readPayments(env, problems),
    seller: readSeller(file.seller, file.service?.name ?? 'svc'),
    retentionMonths: file.retention_months ?? undefined,
  }
  refuseSimulated(config, env, problems)
  refuseRetention(config, problems)
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
  problems.push(...findUpstreamProblems(file.models ?? {}).map((problem) => `${path}: ${problem}`))
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

/**
 * Puts the environment's values where a text says "${NAME}", and a file's text where it says
 * "${file:PATH}", so that secrets need not be in parley.yaml. Files can change while a process runs.
 */
function interpolate(
  value: unknown,
  path: string,
  env: Environment,
  report: (problem: string) => void,
): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(
      /\$\{(?:file:([^}]+)|(\w+))\}/g,
      (_whole, file?: string, name?: string) => {
        const found = file === undefined ? readVariable(env, name ?? '') : readText(file)
        if (typeof found === 'string') return file === undefined ? found : found.trim()
        const isUnset = `the environment variable ${name} is not set`
        report(`${path}: ${file === undefined ? isUnset : `cannot read ${file}`}`)
        return ''
      },
    )
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

function readVariable(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined
}

function readPort(env: Environment, problems: string[]): number {
  return toPort(env['PORT'] ?? '8080', { name: 'PORT', least: 1 }, problems) ?? 8080
}

function toPort(
  text: string,
  { name, least }: { readonly name: string; readonly least: number },
  problems: string[],
): number | undefined {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= least && port <= 65_535) return port
  problems.push(`${name}: must be a number from ${least} to 65535`)
  return undefined
}

const LOOPBACK = '127.0.0.1'

function readHost(env: Environment, problems: string[]): string {
  return toHost(env['HOST'] ?? LOOPBACK, 'HOST', problems)
}

function toHost(host: string, name: string, problems: string[]): string {
  if (isIP(host) > 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)) return host
  problems.push(`${name}: must be an IP address or a host name`)
  return LOOPBACK
}

function readOps(env: Environment, problems: string[]): OpsAddress | undefined {
  const text = env['PARLEY_OPS_PORT']
  // 9464 is where Prometheus looks for what OpenTelemetry exports.
  const port = toPort(text ?? '9464', { name: 'PARLEY_OPS_PORT', least: 0 }, problems)
  const host = toHost(env['PARLEY_OPS_HOST'] ?? LOOPBACK, 'PARLEY_OPS_HOST', problems)
  return port ? { host, port, isChosen: text !== undefined } : undefined
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

function readIssuer(env: Environment, baseUrl: string, problems: string[]): string {
  const url = env['PARLEY_AUTH_URL']
  if (url === undefined) return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl
  if (isHttpUrl(url) && new URL(url).href === `${new URL(url).origin}/`) return new URL(url).origin
  problems.push('PARLEY_AUTH_URL: must be an http or https address without a path')
  return url
}

/** Without a network's length it is one address. */
function readTrustedProxies(env: Environment, problems: string[]): readonly string[] {
  const texts = (env['PARLEY_TRUSTED_PROXIES'] ?? '').split(',').map((text) => text.trim())
  const proxies = texts.filter((text) => text !== '')
  for (const proxy of proxies) {
    const [address = '', bits = '0', ...rest] = proxy.split('/')
    const kind = isIP(address)
    const isLength = /^\d+$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32)
    if (kind > 0 && rest.length === 0 && isLength) continue
    problems.push(
      'PARLEY_TRUSTED_PROXIES: must be addresses or networks such as 10.0.0.0/8, with commas between them',
    )
  }
  return proxies
}

const MIN_SECRET_LENGTH = 32

function readSecret(env: Environment, problems: string[]): string | undefined {
  const secret = env['PARLEY_SECRET']
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    problems.push(`PARLEY_SECRET: must be at least ${MIN_SECRET_LENGTH} characters`)
  }
  return secret
}

/** "parley@example.com", or "Parley <parley@example.com>". */
const MAIL_FROM = /^(?:[^<>@"\r\n]* <)?[^<>@\s"]+@[^<>@\s"]+>?$/

function readSmtp(env: Environment, problems: string[]): SmtpConfig | undefined {
  const url = env['SMTP_URL']
  if (!url) return undefined
  if (!/^smtps?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    // The value is not repeated: it may have a password in it.
    problems.push('SMTP_URL: must be a URL like smtps://user:password@mail.example.com')
  }
  const from = env['PARLEY_MAIL_FROM'] ?? ''
  const isWhole = from.includes('<') === from.endsWith('>')
  if (!MAIL_FROM.test(from) || !isWhole) {
    problems.push(
      'PARLEY_MAIL_FROM: must be an address such as "Parley <no-reply@example.com>", which SMTP_URL needs',
    )
  }
  return { url, from }
}

const MIN_TOKEN_LENGTH = 24

function readDatabaseUrl(env: Environment, problems: string[]): string | undefined {
  const url = env['DATABASE_URL']
  if (!url) return undefined
  if (!isPostgresUrl(url)) {
    // The value is not repeated: it may have a password in it.
    problems.push('DATABASE_URL: must be a URL like postgres://user:password@host:5432/database')
  }
  return url
}

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
    const problem = upstreams.every(({ kind }) => kind === 'simulated')
      ? 'has no upstream but the simulated model, which production refuses; configure one'
      : 'has the simulated model among its upstreams, which production refuses; take it out'
    problems.push(`models.${brand}: ${problem}, or set PARLEY_ALLOW_SIMULATED=1`)
  }
}

/** Months are dropped as partitions, which the embedded store has none of. */
function refuseRetention({ retentionMonths, databaseUrl }: Config, problems: string[]): void {
  if (retentionMonths === undefined || databaseUrl !== undefined) return
  problems.push(
    'retention_months: needs PostgreSQL, whose tables are cut into months that can be closed; ' +
      'the embedded store keeps every receipt. Set DATABASE_URL, or leave the setting out',
  )
}
