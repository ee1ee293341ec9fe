import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** For a group to end once it was told to. */
const END_MS = 10_000
/** For what a script did not wait for, such as a process substitution, to end by itself. */
const LAST_MS = 1_000
const LOOK_MS = 50

export interface Printed {
  readonly stdout: string
  /** Standard error too, in the order in which it came. */
  readonly all: string
}

/** A script and all that it has started. */
export interface Group {
  /** Of the script: undefined while it runs; null where a signal ended it. */
  readonly exitCode: number | null | undefined
  /** Resolves when the script and whatever has its output have ended. */
  readonly closed: Promise<void>
  readonly printed: Printed
  /** Whether something of it still runs, a while after the script has ended. */
  staysBehind(): Promise<boolean>
  end(): Promise<void>
}

export function startGroup(
  script: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Group {
  const child = spawn('bash', [script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { stdout: '', all: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text
    printed.all += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.all += text
  })
  const closed = once(child, 'close').then(() => undefined)
  const signalGroup = (signal: NodeJS.Signals | 0): boolean => {
    try {
      return child.pid !== undefined && process.kill(-child.pid, signal)
    } catch {
      return false
    }
  }
  return {
    get exitCode() {
      return child.signalCode === null ? (child.exitCode ?? undefined) : null
    },
    closed,
    printed,
    async staysBehind() {
      const until = AbortSignal.timeout(LAST_MS)
      while (!until.aborted && signalGroup(0)) await delay(LOOK_MS)
      return signalGroup(0)
    },
    async end() {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (!signalGroup(signal)) return
        const until = AbortSignal.timeout(END_MS)
        while (!until.aborted && signalGroup(0)) await delay(LOOK_MS)
      }
    },
  }
}
