import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A process of ours and what it has said. */
export interface Child {
  readonly process: ChildProcess
  readonly stdout: string
  readonly stderr: string
  /** Resolves with the match, as soon as standard output has it; rejects where the child ends first. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  /** The same of standard error. */
  complained(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with the exit code, or null where a signal ended it, when all output has been read. */
  readonly ended: Promise<number | null>
  /** Sends SIGKILL and waits for its end. */
  kill(): Promise<void>
}

export interface ChildOptions {
  /** The whole environment, but for PATH: nothing of the test's own gets in. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** A command that runs it somewhere else, such as `ip netns exec name`. */
  readonly within?: readonly string[]
  /** For Node itself. */
  readonly nodeArgs?: readonly string[]
}

/** Runs a file of this repository with the Node that runs the test. */
export function startChild(
  file: string,
  args: readonly string[] = [],
  { env = {}, cwd = root, within = [], nodeArgs = [] }: ChildOptions = {},
): Child {
  const [command, ...rest] = [...within, process.execPath, ...nodeArgs, `${root}/${file}`, ...args]
  const process_ = spawn(command as string, rest, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const heard = { stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const stream of ['stdout', 'stderr'] as const) {
    process_[stream].setEncoding('utf8').on('data', (text: string) => {
      heard[stream] += text
      for (const listen of listeners) listen()
    })
  }
  const ended = once(process_, 'close').then(([code]) => code as number | null)

  async function heardOn(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray>()
    const listen = (): void => {
      const match = pattern.exec(heard[stream])
      if (match) resolve(match)
    }
    listeners.add(listen)
    listen()
    const early = ended.then((code) => {
      throw new Error(`ended with ${code} before it said ${pattern}:\n${heard.stderr}`)
    })
    try {
      return await Promise.race([promise, early])
    } finally {
      early.catch(() => {})
      listeners.delete(listen)
    }
  }

  return {
    process: process_,
    get stdout() {
      return heard.stdout
    },
    get stderr() {
      return heard.stderr
    },
    said: (pattern) => heardOn('stdout', pattern),
    complained: (pattern) => heardOn('stderr', pattern),
    ended,
    async kill() {
      process_.kill('SIGKILL')
      await ended
    },
  }
}
