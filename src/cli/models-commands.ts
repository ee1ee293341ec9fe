import { Argument, type Command } from 'commander'
import type { ModelState } from '#api/contract/index.ts'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, printReply, type JsonOption } from './data-command.ts'
import { createOperatorClient } from './operator-client.ts'
import { formatTime, printTable, type Column } from './print-table.ts'
import type { Page } from './read-pages.ts'

interface UpstreamRow {
  readonly model: ModelState
  readonly upstream: ModelState['upstreams'][number]
}

const columns: readonly Column<UpstreamRow>[] = [
  { title: 'brand', read: ({ model }) => model.brand },
  { title: 'model', read: ({ model }) => model.id },
  { title: 'enabled', read: ({ model }) => model.enabled },
  { title: 'context', kind: 'count', read: ({ model }) => model.context_window },
  { title: 'max output', kind: 'count', read: ({ model }) => model.max_output_tokens },
  { title: 'upstream', read: ({ upstream }) => upstream.name },
  { title: 'kind', read: ({ upstream }) => upstream.kind },
  { title: 'priority', kind: 'count', read: ({ upstream }) => upstream.priority },
  { title: 'weight', kind: 'count', read: ({ upstream }) => upstream.weight },
  { title: 'circuit', read: ({ upstream }) => upstream.circuit.replace('_', ' ') },
  { title: 'under way', kind: 'count', read: ({ upstream }) => upstream.under_way },
  { title: 'requests', kind: 'count', read: ({ upstream }) => upstream.requests },
  { title: 'failures', kind: 'count', read: ({ upstream }) => upstream.failures },
  { title: 'passed over', kind: 'count', read: ({ upstream }) => upstream.passed_over },
  { title: 'first ms', kind: 'count', read: ({ upstream }) => upstream.first_token_ms },
  { title: 'last failure', read: ({ upstream }) => describeFailure(upstream.last_failure) },
]

export function addModelsCommands(program: Command, io: CommandIo): void {
  const group = addDataCommand(program, 'models', {
    summary: 'Show the models and their upstreams; switch a brand on or off',
    example: 'parley models disable nova',
  }).action(async (options: JsonOption) => {
    const page = await createOperatorClient(io).get<Page<ModelState>>('/models')
    printReply(io, options, page, () => printModels(io, page.data))
  })
  addSwitch(group, io, 'enable')
  addSwitch(group, io, 'disable')
}

const switches = {
  enable: { enabled: true, summary: 'Switch a brand on' },
  disable: { enabled: false, summary: 'Switch a brand off: requests to it are answered 503' },
}

function addSwitch(group: Command, io: CommandIo, name: keyof typeof switches): void {
  const { enabled, summary } = switches[name]
  addDataCommand(group, name, { summary, example: `parley models ${name} nova` })
    .addArgument(new Argument('<brand>').choices(['air', 'prime', 'nova']))
    .action(async (brand: string, options: JsonOption) => {
      const client = createOperatorClient(io)
      const { reply } = await client.send<ModelState>('PATCH', `/models/${brand}`, { enabled })
      printReply(io, options, reply, () => printModels(io, [reply]))
    })
}

/** A line for each upstream: a brand with two has two. */
function printModels({ stdout }: CommandIo, models: readonly ModelState[]): void {
  const rows = models.flatMap((model) => model.upstreams.map((upstream) => ({ model, upstream })))
  printTable(stdout, columns, rows, 'No model has an upstream.')
}

function describeFailure(failure: UpstreamRow['upstream']['last_failure']): string | null {
  return failure && `${failure.kind} at ${formatTime(failure.at)}`
}
