import type { Command } from 'commander'
import type { Group, Target } from '#doctor/index.ts'
import { isHttpUrl } from '#platform/http-url.ts'
import { createCheckProgress } from './check-progress.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample, addGroup, printReply, type JsonOption } from './data-command.ts'
import { describeOutcome, parseSeconds, toJson } from './doctor-command.ts'
import { printCounts, printFindings } from './print-findings.ts'

interface CheckOptions extends JsonOption {
  readonly model?: string
  readonly keyEnv?: string
  /** In seconds. */
  readonly timeout: number
}

const KEY_VARIABLE = 'PARLEY_UPSTREAM_KEY'

export function addUpstreamCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'upstream', {
    summary: 'Look at model servers',
    example: 'parley upstream check http://127.0.0.1:8000/v1',
  })
  const command: Command = group
    .command('check [url]')
    .description(
      'Ask a model server all that Parley needs of it, for some hundred tokens; without an address, those that are configured',
    )
    .option('--model <name>', "the server's own name for the model (default: the only one it has)")
    .option('--key-env <name>', `the variable that has its key (default: ${KEY_VARIABLE})`)
    .option('--timeout <seconds>', 'how long one reply may take', parseSeconds, 60)
    .option('--json', 'print the findings as JSON')
  command.action(async (url: string | undefined, options: CheckOptions) => {
    if (url !== undefined && !isHttpUrl(url)) {
      command.error('error: the address must begin with http:// or https://')
    }
    if (url === undefined && (options.model ?? options.keyEnv) !== undefined) {
      command.error('error: --model and --key-env are for an address that is given')
    }
    const reports =
      url === undefined ? await checkConfigured(io, options) : await checkOne(io, url, options)
    await tell(io, options, reports)
  })
  addExample(command, 'parley upstream check http://127.0.0.1:8000/v1 --model qwen3')
}

/** What was found of one server; with an entry for parley.yaml, where it is not there yet. */
interface Told {
  readonly label: string | undefined
  readonly groups: readonly Group[]
  readonly entry: string | undefined
}

/** The list of models is short work, however long replies take. */
const LIST_TIMEOUT_MS = 10_000

async function checkOne(io: CommandIo, url: string, options: CheckOptions): Promise<Told[]> {
  const { listModels, writeEntry } = await import('#doctor/index.ts')
  const { variable, apiKey } = readKey(io, options)
  const timeoutMs = Math.min(options.timeout * 1_000, LIST_TIMEOUT_MS)
  const list = await listModels(url, apiKey, timeoutMs)
  const only = list.kind === 'listed' && list.models.length === 1 ? list.models[0]?.id : undefined
  const model = options.model ?? only
  const report = await check(io, options, {
    label: '',
    // What has no name answers to none: the check then says which there are.
    options: { kind: 'openai', name: 'checked', url, model: model ?? '', apiKey },
    uses: [],
  })
  const works = model !== undefined && report.groups.length > 2
  const subject = { url, model: model ?? '', keyVariable: variable }
  const entry = works ? writeEntry(subject, report.traits) : undefined
  return [{ label: undefined, groups: report.groups, entry }]
}

/** Each that a service with this configuration would use, one after the other: some take one at a time. */
async function checkConfigured(io: CommandIo, options: CheckOptions): Promise<Told[]> {
  const { findConfigured } = await import('#doctor/index.ts')
  const { ConfigError } = await import('#config.ts')
  const targets = await findConfigured(io.env).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    throw new CommandError(error.message, { cause: error })
  })
  const reports: Told[] = []
  for (const target of targets) {
    const { groups } = await check(io, options, target)
    reports.push({ label: target.label, groups, entry: undefined })
  }
  return reports
}

async function check(io: CommandIo, { timeout }: CheckOptions, target: Target) {
  const { checkUpstream } = await import('#doctor/index.ts')
  const progress = createCheckProgress(io.stderr)
  const replyTimeoutMs = timeout * 1_000
  return checkUpstream({
    options: target.options,
    uses: target.uses,
    timeoutMs: Math.min(replyTimeoutMs, LIST_TIMEOUT_MS),
    replyTimeoutMs,
    onProgress: (title) => progress.show([title]),
  }).finally(() => progress.end())
}

/** The key, and the name by which parley.yaml is to find it. */
function readKey({ env }: CommandIo, { keyEnv }: CheckOptions) {
  const variable = keyEnv ?? KEY_VARIABLE
  const apiKey = env[variable]
  if (keyEnv !== undefined && !apiKey) {
    throw new CommandError(`The environment variable ${keyEnv} is not set.`)
  }
  return apiKey ? { variable, apiKey } : { variable: undefined, apiKey: undefined }
}

async function tell(io: CommandIo, options: CheckOptions, reports: readonly Told[]): Promise<void> {
  const { countLevels } = await import('#doctor/index.ts')
  const counts = countLevels(reports.flatMap(({ groups }) => groups))
  const json = reports.map(({ label = null, groups, entry = null }) => ({
    upstream: label,
    ...toJson(groups, countLevels(groups)),
    entry,
  }))
  printReply(io, options, { ok: counts.problem === 0, upstreams: json }, () => {
    if (reports.length === 0) {
      io.stdout.write('No upstream is configured: a simulated model answers.\n')
      return
    }
    for (const { label, groups, entry } of reports) {
      if (label !== undefined) io.stdout.write(`${label}\n\n`)
      printFindings(io, groups)
      if (entry !== undefined) io.stdout.write(`For parley.yaml:\n\n${entry}\n`)
    }
    printCounts(io, counts)
  })
  if (counts.problem > 0) throw new CommandError(describeOutcome(counts.problem))
}
