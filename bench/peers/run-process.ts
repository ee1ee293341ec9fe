import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { pinTo, SERVICE_CORE } from '../machine.ts'
import { readTree } from '../process-tree.ts'

export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Where it answers as soon as it is there. */
  readonly url: string
}

/** A server on the core that is measured, with all the processes that it starts. */
export interface RunningProcess {
  /** From its start to its first answer. */
  readonly startMs: number
  cpuMs(): number
  residentMiB(): number
  stop(): Promise<void>
  /** As if the power had gone: nothing is ended in good order. */
  kill(): Promise<void>
}

/** Groups of their own do not end with the bench by themselves, however it ends. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) endGroup(child, 'SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(1))
}

const LOOK_EVERY_MS = 5
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000
const LAST_WORDS = 2_000

export async function runProcess({
  command,
  args,
  cwd,
  env,
  url,
}: Command): Promise<RunningProcess> {
  const [program = command, ...rest] = [...pinTo(SERVICE_CORE), command, ...args]
  const startedMs = performance.now()
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that what it starts ends with it.
    detached: true,
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-LAST_WORDS)
  })
  while (!(await answers(url))) {
    const isLate = performance.now() - startedMs > START_TIMEOUT_MS
    if (isLate) endGroup(child, 'SIGKILL')
    if (isLate || child.exitCode !== null) {
      throw new Error(`it ${isLate ? 'does not answer' : 'ended'}: ${complaint}`)
    }
    await wait(LOOK_EVERY_MS)
  }
  const startMs = performance.now() - startedMs
  const { pid = NaN } = child
  return {
    startMs,
    cpuMs: () => readTree(pid).cpuMs,
    residentMiB: () => readTree(pid).residentMiB,
    async stop() {
      if (hasEnded(child)) return
      const timer = setTimeout(() => endGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS)
      endGroup(child, 'SIGTERM')
      await once(child, 'exit')
      clearTimeout(timer)
    },
    async kill() {
      if (hasEnded(child)) return
      endGroup(child, 'SIGKILL')
      await once(child, 'exit')
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status < 500
  } catch {
    return false
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}
