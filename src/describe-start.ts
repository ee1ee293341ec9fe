import type { Models } from '#models/index.ts'
import type { Config } from './config.ts'

/** What a new store is made with, outside production. */
export interface FirstAccess {
  /** Shown this once. */
  readonly key: string
  /** The address that signs its person in, once, as an operator. */
  readonly link: string
}

export interface Start {
  readonly config: Config
  readonly models: Pick<Models, 'health'>
  /** Undefined but at the first start. */
  readonly first: FirstAccess | undefined
  /** Whether nobody who operates the service can get into the console. */
  readonly isLockedOut: boolean
}

/** What is printed once the service listens. */
export function describeStart(start: Start): string {
  const { config, models } = start
  const { baseUrl } = config
  const answers = models
    .health()
    .map(
      ({ model, upstreams }) => `${model.brand}: ${upstreams.map(({ name }) => name).join(', ')}`,
    )
  const isSimulated = models
    .health()
    .some(({ upstreams }) => upstreams.some(({ kind }) => kind === 'simulated'))
  const lines = [
    '',
    '  Parley is ready.',
    '',
    `  API       ${baseUrl}`,
    `  Docs      ${new URL(baseUrl).origin}/docs`,
    `  Console   ${config.issuer}/console`,
    `  Operator  ${new URL(baseUrl).origin}/operator/v1 (npx parley --help)`,
    `  Models    ${answers.join(' · ')}`,
    ...describeFiles(models),
    ...(isSimulated
      ? [
          '            (simulated; for real answers: npx parley model install, or set PARLEY_UPSTREAM_URL)',
        ]
      : []),
    `  Data      ${config.dataDir}`,
    '',
    ...describeConsole(start),
    ...describeFirstCall(start),
    '',
  ]
  return `${lines.join('\n')}\n`
}

/** What is run here, once for all brands that it answers for. */
function describeFiles(models: Start['models']): string[] {
  const told = models.health().flatMap(({ upstreams }) => upstreams.map(({ about }) => about))
  return [...new Set(told)].flatMap((about) => (about === null ? [] : [`            (${about})`]))
}

function describeConsole({ first, isLockedOut }: Start): string[] {
  if (first) {
    const heading = '  Your console, signed in as its operator (once, within 24 hours):'
    return [heading, '', `    ${first.link}`, '']
  }
  if (!isLockedOut) return []
  return ['  Into your console: npx parley person link you@localhost --operator']
}

function describeFirstCall({ config, first }: Start): string[] {
  const { baseUrl, production } = config
  if (first === undefined) {
    return production
      ? [
          '  Make an account and a key:',
          '    npx parley account create --email EMAIL',
          '    npx parley key create EMAIL --name NAME',
        ]
      : ['  Another key: npx parley key create you@localhost --name NAME']
  }
  return [
    '  Your first API key, with 1.00 € of credit. It is shown this once:',
    '',
    `    ${first.key}`,
    '',
    '  Try it:',
    '',
    `    curl ${baseUrl}/chat/air -H 'Authorization: Bearer ${first.key}' \\`,
    `      -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"Hello!"}]}'`,
  ]
}
