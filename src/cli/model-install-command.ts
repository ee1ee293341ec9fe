import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import type { Installed, ModelSource, Plan, Suggestion } from '#model-files/index.ts'
import { systemClock } from '#platform/clock.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import { isHttpUrl } from '#platform/http-url.ts'
import { openQuestions, type Questions } from './ask-person.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample } from './data-command.ts'
import { describePrecedence, findPlace } from './model-place.ts'
import { showInstallation } from './model-progress.ts'
import { printTable, type Column } from './print-table.ts'
import { runInterruptible } from './run-interruptible.ts'

interface InstallOptions {
  readonly yes?: true
  readonly link?: true
  readonly sha256?: string
  readonly hub?: string
}

const columns: readonly Column<Suggestion>[] = [
  { title: 'name', read: ({ name }) => name },
  { title: 'size', kind: 'count', read: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { title: 'licence', read: ({ licence }) => licence },
  { title: 'context', kind: 'count', read: ({ contextTokens }) => contextTokens },
  { title: 'good for', read: ({ goodFor }) => goodFor },
]

export function addModelInstallCommand(group: Command, io: CommandIo): void {
  const command: Command = group
    .command('install')
    .argument('[model]', 'the name of a suggestion, the address of a GGUF file, or its path')
    .description(
      'Install a model, and the engine that runs it; without a name, choose from suggestions',
    )
    .option('--yes', 'without a question')
    .option('--link', 'a file of this machine: link it, do not copy it')
    .option('--sha256 <hash>', 'what the hash of the file must be', parseSha256)
    .option('--hub <url>', 'a mirror of the hub that has the suggestions', parseHub)
  command.action(async (model: string | undefined, options: InstallOptions) => {
    const questions = options.yes ? undefined : openQuestions(io)
    try {
      const wanted = model ?? (await choose(io, questions))
      if (wanted === undefined) return
      await install(io, wanted, options, questions)
    } finally {
      questions?.end()
    }
  })
  addExample(command, 'parley model install qwen3-0.6b')
}

async function choose(io: CommandIo, questions?: Questions): Promise<string | undefined> {
  const { SUGGESTIONS } = await import('#model-files/index.ts')
  printTable(questions ? io.stderr : io.stdout, columns, SUGGESTIONS, '')
  if (!questions) {
    throw new CommandError('Name one of these, or the address or path of a GGUF file.')
  }
  const answer = await questions.ask('Which one? ')
  return answer === '' ? undefined : answer
}

async function install(
  io: CommandIo,
  wanted: string,
  options: InstallOptions,
  questions: Questions | undefined,
): Promise<void> {
  const plan = await makePlan(io, wanted, options)
  io.stderr.write(describePlan(plan))
  if (!options.yes) {
    if (!questions) throw new CommandError('Nobody can be asked here: add --yes.')
    if (!(await questions.confirm('Install?'))) {
      io.stderr.write('Nothing was installed.\n')
      return
    }
    // Or a second Ctrl-C would find the input still listened to.
    questions.end()
  }
  const installed = await carryOut(io, plan)
  io.stdout.write(`${installed.path}\n`)
  io.stderr.write(describeNextSteps(io, plan, installed))
}

async function makePlan(
  io: CommandIo,
  wanted: string,
  { hub, sha256, link }: InstallOptions,
): Promise<Plan> {
  // Loaded only here, as the service is: the other commands must start fast.
  const { HUB, ModelRefused, planInstallation } = await import('#model-files/index.ts')
  const { dataDir } = findPlace(io)
  const wish = { wanted, hub: hub ?? HUB, sha256, isLinked: link === true, dataDir }
  return runInterruptible(
    io,
    'the installation',
    ({ signal }) => planInstallation({ ...wish, signal }),
    (error) => error instanceof ModelRefused,
  )
}

async function carryOut(io: CommandIo, plan: Plan): Promise<Installed> {
  const { installModel, ModelRefused } = await import('#model-files/index.ts')
  return runInterruptible(
    io,
    'the installation',
    ({ progress, signal }) =>
      installModel(plan, {
        env: io.env,
        clock: systemClock,
        signal,
        onProgress: (told) => showInstallation(progress, told),
      }),
    (error) => error instanceof ModelRefused,
  )
}

function parseSha256(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('Write 64 hexadecimal digits.')
}

function parseHub(text: string): string {
  if (isHttpUrl(text)) return text
  throw new InvalidArgumentError('Write an address such as https://huggingface.co.')
}

function describePlan(plan: Plan): string {
  const { source, path, freeBytes, hereBytes, isThere, isLinked } = plan
  const rows = [
    ...describeEngine(plan),
    ['Model', describeModel(source)],
    ['From', source.kind === 'download' ? source.url : source.path],
    ['SHA-256', describeHash(source)],
    ['To', `${path}${isLinked ? ' (linked)' : ''}`],
    ['Free', `${formatBytes(freeBytes)} there`],
    ...(hereBytes > 0
      ? [['Here', `${formatBytes(hereBytes)} of it, from a download that was broken off`]]
      : []),
    ...(isThere ? [['There', 'a file of this name, which is kept if it is the same']] : []),
  ]
  return `${rows.map(([title = '', text]) => `${title.padEnd(8)} ${text}`).join('\n')}\n`
}

function describeEngine({ engine, dataDir }: Plan): string[][] {
  if (engine.kind === 'installed') {
    return [['Engine', `node-llama-cpp ${engine.version}, which is here`]]
  }
  const replaced = engine.version === undefined ? '' : `, in place of ${engine.version}`
  return [
    ['Engine', `${engine.packages.join(' ')}${replaced}`],
    ['', `MIT, about 90 MB, by npm into ${resolve(dataDir, 'engine')}`],
  ]
}

function describeModel({ name, sizeBytes, licence = 'see its card for the licence' }: ModelSource) {
  const size = sizeBytes === undefined ? 'of unknown size' : formatBytes(sizeBytes)
  return `${name}: ${size}, ${licence}`
}

function describeHash({ sha256, hashFrom }: ModelSource): string {
  switch (hashFrom) {
    case 'list':
      return `${sha256}`
    case 'person':
      return `${sha256}, as you say`
    case 'hub':
      return `${sha256}, as the hub says`
    case undefined:
      return 'is not known, and not checked (--sha256)'
  }
}

function describeNextSteps(io: CommandIo, { source }: Plan, { header }: Installed): string {
  const context = header.contextTokens?.toLocaleString('en') ?? 'unknown'
  const lines = [
    '',
    `Installed ${source.name} (${header.architecture}, context of ${context} tokens).`,
    ...(header.hasChatTemplate
      ? []
      : ['It has no chat template: it may go on with a text where it should answer.']),
    ...describePrecedence(io),
    '',
    'Restart the service: brands without an upstream of their own use it. Then: parley chat "Hello"',
    '',
  ]
  return lines.join('\n')
}
