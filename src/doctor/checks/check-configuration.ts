import { readConfig, type Config, type Environment } from '#config.ts'
import { isLoopback } from '#platform/http-url.ts'
import { counted, note, ok, problem, warning, type Finding } from '../finding.ts'
import type { Patient } from '../patient.ts'

/** What only commands read: a service has no use for it, and it is no mistake. */
const OF_COMMANDS = new Set(['PARLEY_URL', 'PARLEY_API_KEY'])

export function explainConfigProblems(problems: readonly string[]): Finding[] {
  const advice = 'See docs/operate/configuration.md. The service refuses to start.'
  return problems.map((one) => problem(`${one}.`, advice))
}

/** What a service would start with, and may not be meant. */
export async function checkConfiguration({ env, config }: Patient): Promise<Finding[]> {
  const mode = config.production ? 'NODE_ENV is production' : 'NODE_ENV is not production'
  return [
    ok(`The environment and parley.yaml are usable; ${mode}.`),
    ...findUnknownVariables(env).map((name) =>
      warning(
        `${name} is set, and Parley knows no such variable.`,
        'Correct its name, or unset it.',
      ),
    ),
    ...checkTokens(config),
    ...checkProxies(config),
  ]
}

/** The names are known by who asks for them: the reader itself, once with all that it can be led to. */
export function findUnknownVariables(env: Environment): string[] {
  const asked = new Set<string>()
  for (const more of [{}, EVERYTHING]) readRecording({ ...env, ...more }, asked)
  return Object.keys(env)
    .filter((name) => name.startsWith('PARLEY_') && !asked.has(name) && !OF_COMMANDS.has(name))
    .toSorted()
}

const EVERYTHING = {
  NODE_ENV: 'production',
  SMTP_URL: 'smtp://localhost',
  PARLEY_UPSTREAM_URL: 'http://localhost',
  PARLEY_UPSTREAM_MODEL: 'any',
}

function readRecording(env: Environment, asked: Set<string>): void {
  const recording = new Proxy(env, {
    get(target, name) {
      asked.add(String(name))
      return typeof name === 'string' ? target[name] : undefined
    },
  })
  try {
    readConfig(recording)
  } catch {
    // What is wrong with it is told elsewhere; here only counts what was asked for.
  }
}

/** Long is not enough: "aaaa…" is long. */
const MIN_DIFFERENT_CHARACTERS = 10

function checkTokens({ operatorToken, secret, databaseUrl, production }: Config): Finding[] {
  const advice = 'Make one by "openssl rand -base64 32".'
  const given = { PARLEY_OPERATOR_TOKEN: operatorToken, PARLEY_SECRET: secret }
  const weak = Object.entries(given).flatMap(([name, value]) => {
    const different = new Set(value).size
    if (value === undefined || different >= MIN_DIFFERENT_CHARACTERS) return []
    const found = `${name} can be guessed: it has only ${counted(different, 'different character')}.`
    return [problem(found, advice)]
  })
  const unshared = Object.entries(given).filter(([, value]) => value === undefined)
  if (databaseUrl === undefined || unshared.length === 0) return weak
  const names = unshared.map(([name]) => name).join(' and ')
  const found = `${names} not set: each replica makes its own, and replicas must have one in common.`
  return [...weak, production ? warning(found, advice) : note(found, advice)]
}

function checkProxies(config: Config): Finding[] {
  const everyone = config.trustedProxies.filter((proxy) => /\/0+$/.test(proxy))
  if (everyone.length > 0) {
    return [
      problem(
        `PARLEY_TRUSTED_PROXIES trusts every address (${everyone.join(', ')}): any caller can pretend to be another.`,
        'Name only the addresses of your own proxy.',
      ),
    ]
  }
  const url = new URL(config.baseUrl)
  const isProxied = !isLoopback(url.hostname) && url.protocol === 'https:'
  if (!isProxied || config.trustedProxies.length > 0) return []
  return [
    warning(
      'A proxy ends TLS before the service, and PARLEY_TRUSTED_PROXIES is not set: all callers have the address of the proxy, so one who guesses passwords locks out everybody.',
      'Set it to the address of the proxy, as the service sees it.',
    ),
  ]
}
