import { ConfigError, readConfig, type Config, type Environment } from '#config.ts'
import type { Clock } from '#platform/clock.ts'
import { checkAddresses } from './checks/check-addresses.ts'
import { checkBooks } from './checks/check-books.ts'
import { checkClock } from './checks/check-clock.ts'
import { checkConfiguration, explainConfigProblems } from './checks/check-configuration.ts'
import { checkDataDirectory } from './checks/check-data-directory.ts'
import { checkDisk } from './checks/check-disk.ts'
import { checkMail } from './checks/check-mail.ts'
import { checkNode } from './checks/check-node.ts'
import { checkOpenid } from './checks/check-openid.ts'
import { checkPayments } from './checks/check-payments.ts'
import { checkService } from './checks/check-service.ts'
import { checkStore } from './checks/check-store.ts'
import { checkStreaming } from './checks/check-streaming.ts'
import { checkUpstreams } from './checks/check-upstreams.ts'
import { describeTimeout } from './ask.ts'
import { findService } from './find-service.ts'
import { note, warning, type Finding, type Group } from './finding.ts'
import type { Check, Patient } from './patient.ts'

export interface Examination {
  readonly env: Environment
  readonly clock: Clock
  /** That of this process, where it is left out. */
  readonly nodeVersion?: string
  readonly timeoutMs: number
  readonly apiKey: string | undefined
  readonly ca?: string
  /** Told whenever a subject begins or ends: the headings of those that are under way. */
  readonly onProgress?: (underWay: readonly string[]) => void
}

/** In the order in which a person should read of them: what is at fault stands before what it breaks. */
const CHECKS: readonly Check[] = [
  { title: 'Configuration', run: checkConfiguration },
  { title: 'Data directory', run: checkDataDirectory },
  { title: 'Disk', run: checkDisk, isAlone: true },
  { title: 'Store', run: checkStore },
  { title: 'Service', run: checkService },
  { title: 'Books', run: checkBooks },
  { title: 'Clock', run: checkClock },
  { title: 'Upstreams', run: checkUpstreams },
  { title: 'Addresses', run: checkAddresses },
  { title: 'Streams', run: checkStreaming },
  { title: 'Sign-in for apps', run: checkOpenid },
  { title: 'Mail', run: checkMail },
  { title: 'Payments', run: checkPayments },
]

/** How often the time of one question a subject may take, for some ask several in turn. */
const QUESTIONS = 4

/** Looks at everything that this configuration names, and changes nothing. */
export async function examine(examination: Examination): Promise<Group[]> {
  const node: Group = {
    title: 'Node',
    findings: checkNode(examination.nodeVersion ?? process.versions.node),
  }
  const config = readOrExplain(examination.env)
  if (Array.isArray(config)) {
    const rest = note('Nothing else was looked at: it depends on the configuration.')
    return [node, { title: 'Configuration', findings: [...config, rest] }]
  }
  const { timeoutMs, env, clock, apiKey, ca } = examination
  const service = findService(config, timeoutMs)
  return [
    node,
    ...(await examinePatient({ env, config, clock, timeoutMs, apiKey, ca, service }, examination)),
  ]
}

function readOrExplain(env: Environment): Config | Finding[] {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return explainConfigProblems(error.problems)
  }
}

/** What the configuration has come to, as `examine` looks at it. */
export async function examinePatient(
  patient: Patient,
  { onProgress }: Pick<Examination, 'onProgress'> = {},
): Promise<Group[]> {
  const underWay = new Set<string>()
  const groups = new Map<string, readonly Finding[]>()

  async function run({ title, run: look }: Check): Promise<void> {
    underWay.add(title)
    onProgress?.([...underWay])
    groups.set(title, await withinTime(title, look(patient), patient.timeoutMs * QUESTIONS))
    underWay.delete(title)
    onProgress?.([...underWay])
  }

  for (const check of CHECKS.filter(({ isAlone }) => isAlone)) await run(check)
  await Promise.all(CHECKS.filter(({ isAlone }) => !isAlone).map(run))
  return CHECKS.map(({ title }) => ({ title, findings: groups.get(title) ?? [] })).filter(
    ({ findings }) => findings.length > 0,
  )
}

/** A check that hangs, or has a bug, is a finding and takes no other with it. */
export async function withinTime(
  title: string,
  looking: Promise<readonly Finding[]>,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly Finding[]>()
  const advice = 'Give more time with --timeout.'
  const timer = setTimeout(
    () => resolve([warning(`${title}: ${describeTimeout(timeoutMs)}.`, advice)]),
    timeoutMs,
  )
  try {
    return await Promise.race([looking, late])
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    return [warning(`${title} could not be looked at (${code ?? name}).`, 'Tell the developers.')]
  } finally {
    clearTimeout(timer)
  }
}
