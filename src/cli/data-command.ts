import { InvalidArgumentError, type Command } from 'commander'
import { parseEuros } from '#platform/money.ts'
import type { CommandIo } from './command-io.ts'

export interface JsonOption {
  readonly json?: true | undefined
}

export interface Explanation {
  readonly summary: string
  readonly example: string
}

/** A command on the service's data: says what it does, shows an example, and can print JSON. */
export function addDataCommand(
  parent: Command,
  usage: string,
  { summary, example }: Explanation,
): Command {
  const command = parent.command(usage).option('--json', "print the API's JSON")
  return addExample(command.description(summary), example)
}

/** A command that only holds others. */
export function addGroup(
  parent: Command,
  name: string,
  { summary, example }: Explanation,
): Command {
  return addExample(parent.command(name).description(summary).helpCommand(false), example)
}

export function addExample(command: Command, example: string): Command {
  return command.addHelpText('after', `\nExample:\n  ${example}`)
}

/** Writes the reply as JSON where that was asked for, else leaves it to `describe`. */
export function printReply(
  { stdout }: CommandIo,
  { json }: JsonOption,
  reply: unknown,
  describe: () => void,
): void {
  if (json) stdout.write(`${JSON.stringify(reply, null, 2)}\n`)
  else describe()
}

export function parseAmount(text: string): string {
  if (parseEuros(text) !== undefined) return text
  throw new InvalidArgumentError('Write euros with at most nine decimals, such as 20 or 0.50.')
}

/** An amount, or "none" to take it away. */
export function parseCeiling(text: string): string {
  return text === 'none' ? text : parseAmount(text)
}
