import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Restoration } from '#backup/index.ts'
import { isPostgresUrl } from '#platform/postgres-url.ts'
import { showBackup } from './backup-progress.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample, printReply, type JsonOption } from './data-command.ts'
import { findStore, type FoundStore } from './find-store.ts'
import { runInterruptible } from './run-interruptible.ts'

interface RestoreCommandOptions extends JsonOption {
  readonly to?: string
}

export function addRestoreCommand(program: Command, io: CommandIo): void {
  const command: Command = program
    .command('restore')
    .argument('<backup>', 'the directory that parley backup made')
    .description('Restore a backup into a new directory or an empty PostgreSQL')
    .option(
      '--to <place>',
      'the new data directory, or the address of the PostgreSQL (default: DATABASE_URL, else PARLEY_DATA_DIR)',
    )
    .option('--json', 'print what was restored as JSON')
  command.action(async (from: string, options: RestoreCommandOptions) => {
    const target = findTarget(command, io, options)
    const restoration = await run(io, resolve(from), target)
    printReply(io, options, toJson(restoration), () => io.stdout.write(describe(restoration)))
    if (!options.json) io.stderr.write(describeNextSteps(restoration, target))
    if (restoration.verification?.ok === false) throw explainBooks(restoration)
  })
  addExample(command, 'parley restore /var/backups/parley/parley-2026-11-22T03-17-00Z --to ./data')
}

function findTarget(command: Command, io: CommandIo, { to }: RestoreCommandOptions): FoundStore {
  if (to === undefined) return findStore(command, io)
  const dataDir = resolve(io.env['PARLEY_DATA_DIR'] ?? './data')
  if (isPostgresUrl(to)) return { dataDir, databaseUrl: to }
  // A mistyped address would make a directory of its name, password and all.
  if (to.includes('://')) command.error('error: --to must be a directory, or a postgres:// URL')
  return { dataDir: resolve(to), databaseUrl: undefined }
}

async function run(io: CommandIo, from: string, target: FoundStore): Promise<Restoration> {
  // Loaded only here, as the service is: the other commands must start fast.
  const { restoreBackup, BackupRefused } = await import('#backup/index.ts')
  return runInterruptible(
    io,
    'the restore',
    ({ progress, signal }) =>
      restoreBackup({
        ...target,
        from,
        env: io.env,
        signal,
        onProgress: (told) => showBackup(progress, told),
      }),
    (error) => error instanceof BackupRefused,
  )
}

function toJson({ manifest, place, verification }: Restoration): unknown {
  return { restored_to: place, verification, manifest }
}

function describe({ manifest, place, verification }: Restoration): string {
  const lines = [`Restored the backup of ${manifest.made_at} to ${place}.`]
  if (verification?.ok) {
    const { transfers, accounts } = verification
    lines.push(`The books add up (transfers: ${transfers}, accounts: ${accounts}).`)
  }
  return `${lines.join('\n')}\n`
}

function describeNextSteps(
  { manifest, verification }: Restoration,
  { dataDir, databaseUrl }: FoundStore,
): string {
  const has = (name: string): boolean => manifest.files.some((file) => file.name === name)
  const variables =
    databaseUrl === undefined
      ? [`  PARLEY_DATA_DIR=${dataDir}`]
      : ['  DATABASE_URL           this database', `  PARLEY_DATA_DIR=${dataDir}`]
  const secret = has('secret')
    ? `  the secret in ${join(dataDir, 'secret')}, which came with the backup`
    : '  PARLEY_SECRET          the one it had: it is not in the backup'
  const notes = [
    ...(verification
      ? []
      : ['It is of an older version: the start brings it up to date. Then: parley ledger verify']),
    ...(has('spill.jsonl') ? ['The start books what was in the spill file.'] : []),
  ]
  return [
    '',
    `See that no service runs on ${manifest.source} any more: on two copies every balance can be spent`,
    'twice. What was charged, paid in or revoked since the backup is not in it (docs/operate/backup.md).',
    '',
    'Start the service with',
    ...variables,
    secret,
    'and the parley.yaml that it had, if there was one.',
    ...notes,
    '',
  ].join('\n')
}

function explainBooks({ verification }: Restoration): CommandError {
  const found = verification?.discrepancies.map((one) => `  ${one}`).join('\n')
  return new CommandError(
    `What was backed up is restored, but its books do not add up:\n${found}\n` +
      'Try the backup before this one (docs/operate/runbooks.md).',
  )
}
