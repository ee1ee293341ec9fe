import { InvalidArgumentError, type Command } from 'commander'
import type { Group, Level } from '#doctor/index.ts'
import { systemClock } from '#platform/clock.ts'
import { createCheckProgress } from './check-progress.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { addExample, printReply, type JsonOption } from './data-command.ts'
import { printCounts, printFindings } from './print-findings.ts'

interface DoctorOptions extends JsonOption {
  readonly key?: string
  /** In seconds. */
  readonly timeout: number
}

export function addDoctorCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('doctor')
    .description(
      'Look at everything that the service needs, as it is configured here; changes nothing',
    )
    .option('--key <key>', 'an API key to try streams with (default: PARLEY_API_KEY)')
    .option('--timeout <seconds>', 'how long one answer may take', parseSeconds, 5)
    .option('--json', 'print the findings as JSON')
    .action(async (options: DoctorOptions) => {
      // Loaded only here, as the service is: the other commands must start fast.
      const { countLevels, examine } = await import('#doctor/index.ts')
      const progress = createCheckProgress(io.stderr)
      const groups = await examine({
        env: io.env,
        clock: systemClock,
        timeoutMs: options.timeout * 1_000,
        apiKey: options.key ?? io.env['PARLEY_API_KEY'],
        onProgress: progress.show,
      }).finally(() => progress.end())
      const counts = countLevels(groups)
      printReply(io, options, toJson(groups, counts), () => {
        printFindings(io, groups)
        printCounts(io, counts)
      })
      if (counts.problem > 0) throw new CommandError(describeOutcome(counts.problem))
    })
  addExample(command, 'parley doctor')
}

export function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 3_600) return seconds
  throw new InvalidArgumentError('Write seconds, from more than 0 up to 3600.')
}

export function toJson(groups: readonly Group[], counts: Readonly<Record<Level, number>>): object {
  return {
    ok: counts.problem === 0,
    counts,
    findings: groups.flatMap(({ title, findings }) =>
      findings.map(({ level, found, advice = null }) => ({ group: title, level, found, advice })),
    ),
  }
}

export function describeOutcome(problems: number): string {
  return problems === 1 ? 'There is a problem.' : `There are ${problems} problems.`
}
