import { InvalidArgumentError, type Command } from 'commander'
import type { CommandIo } from './command-io.ts'
import { addDataCommand, addExample, type JsonOption } from './data-command.ts'
import type { LoginOptions } from './login.ts'

const DEFAULT_TIMEOUT_S = 300

/** A person's own sign-in. What it takes is loaded by these commands alone: others must start fast. */
export function addLoginCommands(program: Command, io: CommandIo): void {
  const login = program
    .command('login')
    .description('Sign in as yourself, in your browser')
    .option('--no-browser', 'only show the address to open')
    .option(
      '--timeout <seconds>',
      'how long to wait for the browser',
      parseSeconds,
      DEFAULT_TIMEOUT_S,
    )
    .action(async (options: LoginOptions) => (await import('./login.ts')).login(io, options))
  addExample(login, 'parley login --no-browser')
  addDataCommand(program, 'whoami', {
    summary: 'Show who you are signed in as, and your plan as it is now',
    example: 'parley whoami',
  }).action(async (options: JsonOption) => (await import('./whoami.ts')).showWhoami(io, options))
  const logout = program
    .command('logout')
    .description('Sign out: the service and this machine forget your credentials')
    .action(async () => (await import('./logout.ts')).logout(io))
  addExample(logout, 'parley logout')
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 3_600) return seconds
  throw new InvalidArgumentError('Give a number of seconds from 1 to 3600.')
}
