import { resolve } from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import type { Backup } from '#backup/index.ts'
import { systemClock } from '#platform/clock.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import { showBackup } from './backup-progress.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample, printReply, type JsonOption } from './data-command.ts'
import { findStore, type FoundStore } from './find-store.ts'
import { runInterruptible } from './run-interruptible.ts'

interface BackupCommandOptions extends JsonOption {
  readonly to: string
  readonly keep?: number
  /** False by --without-secret. */
  readonly secret: boolean
}

export function addBackupCommand(program: Command, io: CommandIo): void {
  const command: Command = program
    .command('backup')
    .description('Back up the store while its service runs, and check the backup')
    .option('--to <directory>', 'where the backup is made, in a directory of its own', './backups')
    .option('--keep <count>', 'delete all but the newest backups of this store there', parseKeep)
    .option('--no-secret', 'leave out the file secret, which you keep elsewhere')
    .option('--json', 'print the manifest as JSON')
  command.action(async (options: BackupCommandOptions) => {
    const store = findStore(command, io)
    const backup = await run(io, store, options)
    printReply(io, options, toJson(backup), () => io.stdout.write(`${backup.path}\n`))
    if (!options.json) io.stderr.write(describe(backup, options))
    if (backup.discrepancies.length > 0) throw explainBooks(backup)
  })
  addExample(command, 'parley backup --to /var/backups/parley --keep 14')
}

async function run(
  io: CommandIo,
  store: FoundStore,
  { to, keep, secret }: BackupCommandOptions,
): Promise<Backup> {
  // Loaded only here, as the service is: the other commands must start fast.
  const { takeBackup, BackupRefused } = await import('#backup/index.ts')
  return runInterruptible(
    io,
    'the backup',
    ({ progress, signal }) =>
      takeBackup({
        ...store,
        directory: resolve(to),
        // One that is set is what the service uses, whatever is in a file.
        takesSecret: secret && !io.env['PARLEY_SECRET'],
        keep,
        version: packageJson.version,
        clock: systemClock,
        env: io.env,
        signal,
        onProgress: (told) => showBackup(progress, told),
      }),
    (error) => error instanceof BackupRefused,
  )
}

function parseKeep(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1) return count
  throw new InvalidArgumentError('Write how many are left, at least 1.')
}

function toJson({ path, manifest, discrepancies, pruned }: Backup): unknown {
  return { path, ...manifest, discrepancies, pruned }
}

function describe({ manifest, pruned }: Backup, { secret }: BackupCommandOptions): string {
  const { books, files } = manifest
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const lines = [
    `Backed up ${manifest.source}: ${files.map(({ name }) => name).join(', ')} (${formatBytes(bytes)}).`,
    ...describeBooks(books),
    ...describeSecret(manifest.secret, secret),
    ...pruned.map((path) => `Deleted ${path}.`),
  ]
  return `${lines.join('\n')}\n`
}

function describeBooks(books: Backup['manifest']['books']): string[] {
  if (!books) {
    return [
      'Its books were not added up: the store is of an older version, whose own command does that.',
    ]
  }
  if (!books.ok) return []
  return [`Its books add up (transfers: ${books.transfers}, accounts: ${books.accounts}).`]
}

function describeSecret(kept: Backup['manifest']['secret'], isWished: boolean): string[] {
  if (kept === 'included') {
    return [
      'The secret is in it: who has this backup has second factors and signing keys too. Encrypt it.',
    ]
  }
  return isWished
    ? ['PARLEY_SECRET is not in it, and no service starts on it without: keep it apart.']
    : ['The file secret is not in it, and no service starts on it without: keep it apart.']
}

function explainBooks({ path, discrepancies }: Backup): CommandError {
  return new CommandError(
    `The books of the backup do not add up:\n${discrepancies.map((one) => `  ${one}`).join('\n')}\n` +
      `They are those of the store. Keep ${path}, and see the runbooks (docs/operate/runbooks.md).`,
  )
}
