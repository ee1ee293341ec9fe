import { PassThrough, Writable } from 'node:stream'
import { runParley } from '../../src/cli/parley.ts'
import type { Service } from '../support/service.ts'

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** What is on stdin, which then ends; nothing when left out. */
  readonly input?: string
  /** Which of the streams are a terminal. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[]
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** stdout, where it is JSON. */
  readonly json: unknown
}

/** Runs `parley` in this process as a person would who has the operator token of the service. */
export async function runCommand(
  service: Service | undefined,
  args: readonly string[],
  { input, ...options }: CommandOptions = {},
): Promise<Ran> {
  const started = startCommand(service, args, options)
  started.stdin.end(input)
  return started.ended
}

/** The same with a stdin that stays open. */
export function startCommand(
  service: Service | undefined,
  args: readonly string[],
  { env = {}, terminals = [] }: CommandOptions = {},
) {
  const stdin = new PassThrough() as PassThrough & { isTTY?: boolean }
  const [stdout, stderr] = [new Capture(), new Capture()]
  const streams = { stdin, stdout, stderr }
  for (const name of terminals) streams[name].isTTY = true
  const stops = new Set<() => void>()
  const ended = runParley(args, {
    ...streams,
    onInterrupt(stop) {
      stops.add(stop)
      return () => void stops.delete(stop)
    },
    env: {
      ...(service && { PARLEY_URL: service.origin, PARLEY_OPERATOR_TOKEN: service.operatorToken }),
      ...env,
    },
  }).then((code): Ran => ({
    code,
    stdout: stdout.text,
    stderr: stderr.text,
    json: /^[[{]/.test(stdout.text) ? (JSON.parse(stdout.text) as unknown) : undefined,
  }))
  /** As Ctrl-C does. */
  function interrupt(): void {
    for (const stop of stops) stop()
  }
  return { ...streams, ended, interrupt }
}

/** Keeps what is written, and tells when a text has come by. */
class Capture extends Writable {
  text = ''
  isTTY?: boolean
  #awaited: { text: string; resolve: () => void }[] = []

  override _write(piece: Buffer, _encoding: string, done: () => void): void {
    this.text += piece.toString()
    for (const { text, resolve } of this.#awaited) if (this.text.includes(text)) resolve()
    done()
  }

  async until(text: string): Promise<void> {
    if (this.text.includes(text)) return
    await new Promise<void>((resolve) => this.#awaited.push({ text, resolve }))
  }
}
