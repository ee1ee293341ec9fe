import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Move } from '#move/index.ts'
import { formatEuros } from '#platform/money.ts'
import { isPostgresUrl } from '#platform/postgres-url.ts'
import type { Comparison } from '#platform/store/index.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample, printReply, type JsonOption } from './data-command.ts'
import { showMove } from './move-progress.ts'
import { printTable, type Column } from './print-table.ts'
import { runInterruptible } from './run-interruptible.ts'

interface MigrateOptions extends JsonOption {
  readonly from?: string
  readonly to?: string
}

const columns: readonly Column<Comparison>[] = [
  { title: 'table', read: ({ table }) => table },
  { title: 'figure', read: ({ name }) => name },
  { title: 'source', kind: 'count', read: ({ unit, source }) => formatFigure(unit, source) },
  { title: 'target', kind: 'count', read: ({ unit, target }) => formatFigure(unit, target) },
  { title: '', read: ({ source, target }) => (source === target ? ' ' : 'differs') },
]

export function addMigrateCommand(program: Command, io: CommandIo): void {
  const command: Command = program
    .command('migrate')
    .description('Move an embedded store into an empty PostgreSQL; the service must be stopped')
    .option('--from <directory>', 'the data directory (default: PARLEY_DATA_DIR, or ./data)')
    .option(
      '--to <url>',
      "the PostgreSQL's address (default: DATABASE_URL, which hides a password)",
    )
    .option('--json', 'print the figures of both ends as JSON')
  command.action(async (options: MigrateOptions) => {
    const dataDir = resolve(options.from ?? io.env['PARLEY_DATA_DIR'] ?? './data')
    const databaseUrl = options.to ?? io.env['DATABASE_URL']
    if (!databaseUrl || !isPostgresUrl(databaseUrl)) {
      // What was given is not repeated: it may have a password in it.
      command.error('error: --to must be a URL like postgres://user:password@host:5432/database')
    }
    const move = await run(io, { dataDir, databaseUrl })
    printReply(io, options, toJson(dataDir, move), () => describe(io, move))
    if (move.kind === 'differs') throw explainDifference(move)
    if (!options.json) io.stderr.write(describeNextSteps(dataDir, move))
  })
  addExample(
    command,
    'parley migrate --from data/ --to postgres://parley:PASSWORD@db.example.com/parley',
  )
}

async function run(
  io: CommandIo,
  where: { readonly dataDir: string; readonly databaseUrl: string },
): Promise<Move> {
  // Loaded only here, as the service is: the other commands must start fast.
  const { moveStore, MoveRefused } = await import('#move/index.ts')
  return runInterruptible(
    io,
    'the move',
    ({ progress, signal }) =>
      moveStore({ ...where, signal, onProgress: (told) => showMove(progress, told) }),
    (error) => error instanceof MoveRefused,
  )
}

function describe({ stdout }: CommandIo, { figures }: Move): void {
  printTable(stdout, columns, figures, 'There was nothing to move.')
}

function formatFigure(unit: Comparison['unit'], value: bigint | null): string | null {
  if (value === null) return null
  switch (unit) {
    case 'count':
      return value.toString()
    case 'nano':
      return `${formatEuros(value)} €`
    case 'digest':
      return value.toString(16).padStart(16, '0')
  }
}

function toJson(dataDir: string, { kind, place, figures, verification, isMarked }: Move): unknown {
  return {
    moved: kind === 'moved',
    from: dataDir,
    to: place,
    source_marked: isMarked,
    figures: figures.map(({ table, name, unit, source, target }) => ({
      table,
      figure: name,
      unit: unit === 'nano' ? 'eur' : unit,
      source: toJsonFigure(unit, source),
      target: toJsonFigure(unit, target),
    })),
    verification,
  }
}

function toJsonFigure(unit: Comparison['unit'], value: bigint | null): number | string | null {
  if (value === null) return null
  if (unit === 'count') return Number(value)
  return unit === 'nano' ? formatEuros(value) : value.toString(16).padStart(16, '0')
}

function explainDifference({ place, figures, verification }: Move): CommandError {
  const differences = figures
    .filter(({ source, target }) => source !== target)
    .map(({ table, name }) => `${table} (${name})`)
  const found = [
    ...(differences.length > 0 ? [`The copy differs: ${differences.join(', ')}.`] : []),
    ...verification.discrepancies,
  ]
  return new CommandError(
    `${found.join('\n')}\nNothing was moved: the copy at ${place} was undone. ` +
      'Look for what changes rows there, such as a trigger or a disk that fails.',
  )
}

function describeNextSteps(dataDir: string, { place, verification, isMarked }: Move): string {
  const { transfers, accounts } = verification
  const source = isMarked
    ? `The rows in ${dataDir} are left as they were. No service starts on them unless you delete the file MOVED there.`
    : `The file MOVED could not be written to ${dataDir}: see that no service is started on the rows there again.`
  return [
    '',
    `Moved to ${place}. The books add up there (transfers: ${transfers}, accounts: ${accounts}).`,
    '',
    'Start each replica with',
    '  DATABASE_URL           this database',
    `  PARLEY_SECRET          the one it had; until now it was in ${resolve(dataDir, 'secret')}, if not set`,
    `  PARLEY_OPERATOR_TOKEN  one token for all; until now it was in ${resolve(dataDir, 'operator-token')}, if not set`,
    '  PARLEY_DATA_DIR        a directory of its own, for what the database cannot take',
    'and the same parley.yaml, if there is one.',
    '',
    source,
    '',
  ].join('\n')
}
