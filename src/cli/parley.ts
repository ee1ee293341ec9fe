#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { addAccountCommands } from './account-commands.ts'
import { addAuditCommand } from './audit-command.ts'
import { addBackupCommand } from './backup-command.ts'
import { addChatCommand } from './chat-command.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addClientCommands } from './client-commands.ts'
import { addCreditCommand } from './credit-command.ts'
import { addDoctorCommand } from './doctor-command.ts'
import { addKeyCommands } from './key-commands.ts'
import { addLedgerCommands } from './ledger-commands.ts'
import { addLoginCommands } from './login-commands.ts'
import { addMigrateCommand } from './migrate-command.ts'
import { addModelCommands } from './model-commands.ts'
import { addModelsCommands } from './models-commands.ts'
import { addPaymentsCommands } from './payments-commands.ts'
import { addPersonCommands } from './person-commands.ts'
import { addReceiptsCommand } from './receipts-command.ts'
import { addRestoreCommand } from './restore-command.ts'
import { addServeCommand } from './serve-command.ts'
import { addSigningKeyCommands } from './signing-key-commands.ts'
import { addTopupCommands } from './topup-commands.ts'
import { addUpstreamCommands } from './upstream-commands.ts'

const environmentHelp = `
Environment:
  PARLEY_URL             where the service is (default: http://127.0.0.1:$PORT, PORT being 8080)
  PARLEY_AUTH_URL        where people sign in (default: the origin of PARLEY_URL)
  PARLEY_OPERATOR_TOKEN  the operator token (default: the file operator-token in PARLEY_DATA_DIR)
  PARLEY_DATA_DIR        the service's data directory (default: ./data)
  DATABASE_URL           its PostgreSQL, where it has one: for backup, restore and migrate
  PARLEY_API_KEY         the key that parley chat and parley doctor use`

/** Runs the command of these arguments and returns its exit code: 1 failed, 2 wrongly called. */
export async function runParley(args: readonly string[], io: CommandIo): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CommandError)) throw error
    io.stderr.write(`${error.message}\n`)
    return 1
  }
}

function createProgram(io: CommandIo): Command {
  const program = new Command('parley')
    .description('Run and operate the Parley chat-completion service.')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
    })
    .configureHelp({ subcommandTerm: describeCommand })
    .showHelpAfterError('Add --help to see how it is used.')
    // An option after a command's name is that command's: models and its own commands have --json.
    .enablePositionalOptions()
    .addHelpText('after', environmentHelp)
  addServeCommand(program, io)
  addDoctorCommand(program, io)
  addUpstreamCommands(program, io)
  addModelCommands(program, io)
  addMigrateCommand(program, io)
  addBackupCommand(program, io)
  addRestoreCommand(program, io)
  addAccountCommands(program, io)
  addKeyCommands(program, io)
  addCreditCommand(program, io)
  addReceiptsCommand(program, io)
  addTopupCommands(program, io)
  addPaymentsCommands(program, io)
  addModelsCommands(program, io)
  addLedgerCommands(program, io)
  addPersonCommands(program, io)
  addClientCommands(program, io)
  addSigningKeyCommands(program, io)
  addAuditCommand(program, io)
  addChatCommand(program, io)
  addLoginCommands(program, io)
  return program
}

/** `credit <account> <amount>`: that a command has options is no news. */
function describeCommand(command: Command): string {
  return `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trimEnd()
}

if (import.meta.main) {
  const { stdin, stdout, stderr } = process
  // Whoever reads us may have read enough, as `head` does.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // oxlint-disable-next-line node/no-process-env -- The one place where the command takes it in.
  const env = process.env
  const io = { stdin, stdout, stderr, env, onInterrupt, openBrowser }
  const code = await runParley(process.argv.slice(2), io)
  // A start that failed may have left the store open, which would keep the process alive.
  if (code !== 0) process.exit(code)
}

async function openBrowser(url: string): Promise<void> {
  const { startBrowser } = await import('./start-browser.ts')
  startBrowser(url, process.platform)
}

/** Once: whoever asks a second time does not want to wait. */
function onInterrupt(stop: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  return () => {
    for (const signal of signals) process.off(signal, stop)
  }
}
