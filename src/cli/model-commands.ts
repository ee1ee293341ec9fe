import type { Command } from 'commander'
import type { InstalledModel, Inventory } from '#model-files/index.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import { openQuestions } from './ask-person.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample, addGroup, printReply, type JsonOption } from './data-command.ts'
import { addModelInstallCommand } from './model-install-command.ts'
import { describePrecedence, findPlace } from './model-place.ts'
import { printTable, type Column } from './print-table.ts'

const columns: readonly Column<InstalledModel>[] = [
  { title: 'name', read: ({ name }) => name },
  { title: 'size', kind: 'count', read: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { title: 'licence', read: ({ licence = null }) => licence },
  { title: 'architecture', read: ({ header }) => header?.architecture ?? 'damaged' },
  { title: 'context', kind: 'count', read: ({ header }) => header?.contextTokens ?? null },
  { title: 'next start', read: ({ isUsed }) => (isUsed ? 'used' : '') },
]

export function addModelCommands(program: Command, io: CommandIo): void {
  const group = addGroup(program, 'model', {
    summary: 'Install models that run on this machine; list and remove them',
    example: 'parley model install qwen3-0.6b',
  })
  addModelInstallCommand(group, io)
  addList(group, io)
  addRemove(group, io)
}

function addList(group: Command, io: CommandIo): void {
  const command = group
    .command('list')
    .description('List the models in the data directory, and which the next start uses')
    .option('--json', 'print them as JSON')
    .action(async (options: JsonOption) => {
      const { listModels } = await import('#model-files/index.ts')
      const place = findPlace(io)
      const inventory = listModels(place)
      printReply(io, options, toJson(inventory), () => {
        const none = 'No model is installed: parley model install'
        printTable(io.stdout, columns, inventory.models, none)
        io.stderr.write(describeRest(io, inventory))
      })
    })
  addExample(command, 'parley model list')
}

function addRemove(group: Command, io: CommandIo): void {
  const command = group
    .command('remove <name>')
    .description('Delete a model, or what is left of a download that was broken off')
    .option('--yes', 'without a question')
    .action(async (name: string, { yes = false }: { readonly yes?: boolean }) => {
      const { listModels, ModelRefused, refuseUnknown, removeModel } =
        await import('#model-files/index.ts')
      const place = findPlace(io)
      try {
        refuseUnknown(listModels(place), name)
        if (!yes && !(await agrees(io, `Delete ${name}?`))) return
        const { models } = removeModel(place, name)
        const next = models.find(({ isUsed }) => isUsed)
        io.stderr.write(
          `Deleted ${name}. ${next ? `The next start uses ${next.name}.` : 'No installed model is used now.'}\n`,
        )
      } catch (error) {
        if (!(error instanceof ModelRefused)) throw error
        throw new CommandError(error.message, { cause: error })
      }
    })
  addExample(command, 'parley model remove qwen3-0.6b')
}

/** Says what a no does. Throws where nobody can be asked. */
async function agrees(io: CommandIo, question: string): Promise<boolean> {
  const questions = openQuestions(io)
  if (!questions) throw new CommandError('Nobody can be asked here: add --yes.')
  const isAgreed = await questions.confirm(question)
  questions.end()
  if (!isAgreed) io.stderr.write('Nothing was deleted.\n')
  return isAgreed
}

function describeRest(io: CommandIo, { engine, models, parts }: Inventory): string {
  const lines = [
    ...parts.map((name) => `Not whole: ${name}. To go on with it: parley model install`),
    ...describePrecedence(io),
    ...describeEngine(engine, models.length > 0),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function describeEngine({ version, wanted }: Inventory['engine'], isNeeded: boolean): string[] {
  if (version === undefined) {
    return isNeeded
      ? ['The engine is missing: parley model install, with a name, installs it.']
      : []
  }
  const other = version === wanted ? '' : ` (this Parley is tested with ${wanted})`
  return [`Engine: node-llama-cpp ${version}${other}`]
}

function toJson({ engine, models, parts }: Inventory): unknown {
  return {
    engine: { version: engine.version ?? null, wanted: engine.wanted },
    models: models.map(({ name, path, sizeBytes, header, licence, isUsed }) => ({
      name,
      path,
      size_bytes: sizeBytes,
      licence: licence ?? null,
      architecture: header?.architecture ?? null,
      context_tokens: header?.contextTokens ?? null,
      used_at_next_start: isUsed,
    })),
    not_whole: parts,
  }
}
