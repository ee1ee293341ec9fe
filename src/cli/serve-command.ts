import type { Command } from 'commander'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample } from './data-command.ts'

export function addServeCommand(program: Command, { env }: CommandIo): void {
  const command = program
    .command('serve')
    .description('Run the service, set up by the environment and parley.yaml')
    .action(async () => {
      // The service with all it needs is loaded only here: the other commands must start fast.
      const { serve, explainFailure } = await import('#serve.ts')
      await serve(env).catch((error: unknown) => {
        throw new CommandError(explainFailure(error), { cause: error })
      })
    })
  addExample(command, 'PORT=9000 parley serve')
}
