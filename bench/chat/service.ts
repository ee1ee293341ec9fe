import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../test/support/child-service.ts'
import { pinTo, SERVICE_CORE } from '../machine.ts'

/** The real service as a process of its own, as an operator would start it. */
export interface Service {
  readonly origin: string
  /** From its start until it took the first connection. */
  readonly startMs: number
  /** Of all its threads until now; undefined where the system does not tell. */
  cpuMs(): number | undefined
  residentMiB(): number | undefined
  stop(): Promise<void>
}

export interface ServiceOptions {
  readonly dataDir: string
  /** Of every brand; left out where the environment names a file that tells. */
  readonly upstreamUrl?: string
  readonly nodeArgs?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** False: it may run on any core. */
  readonly pin?: boolean
}

export const OPERATOR_TOKEN = 'operator-token-of-the-bench'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const START_TIMEOUT_MS = 30_000
/** Longer than the service lets its last replies take. */
const STOP_TIMEOUT_MS = 40_000
const LOOK_EVERY_MS = 1
/** Linux counts CPU time for user space in this unit, whatever the kernel's own is. */
const TICK_MS = 10

export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDir, upstreamUrl, nodeArgs = [], env = {}, pin = true } = options
  mkdirSync(dataDir, { recursive: true })
  const port = await findFreePort()
  const [command, ...args] = [
    ...(pin ? pinTo(SERVICE_CORE) : []),
    process.execPath,
    ...nodeArgs,
    MAIN,
  ]
  const startedMs = performance.now()
  const child = spawn(command, args, {
    // No configuration but this: no file is found in its directory.
    cwd: dataDir,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      PARLEY_DATA_DIR: dataDir,
      ...(upstreamUrl !== undefined && {
        PARLEY_UPSTREAM_URL: upstreamUrl,
        PARLEY_UPSTREAM_MODEL: 'bench',
      }),
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PARLEY_SECRET: 'secret-of-the-bench-which-is-long-enough',
      ...env,
    },
    // Every line of the log is made and written, and then thrown away.
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilListening(child, port, startedMs)
  return {
    origin: `http://127.0.0.1:${port}`,
    startMs: performance.now() - startedMs,
    cpuMs: () => readCpuMs(child),
    residentMiB: () => readResidentMiB(child),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await once(child, 'exit')
      clearTimeout(timer)
    },
  }
}

async function waitUntilListening(
  child: ChildProcess,
  port: number,
  startedMs: number,
): Promise<void> {
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    if (performance.now() - startedMs > START_TIMEOUT_MS) {
      child.kill('SIGKILL')
      throw new Error('the service does not listen')
    }
    await wait(LOOK_EVERY_MS)
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** proc_pid_stat(5): utime and stime are the 14th and 15th field; the name before may have spaces. */
function readCpuMs({ pid }: ChildProcess): number | undefined {
  const text = readProcess(pid, 'stat')
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function readResidentMiB({ pid }: ChildProcess): number | undefined {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readProcess(pid, 'status') ?? '')?.[1]
  return kib === undefined ? undefined : Number(kib) / 1024
}

function readProcess(pid: number | undefined, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
