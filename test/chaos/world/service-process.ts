import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Measurement, NumberedOrder, Order, Report, ServeOptions } from '../service/orders.ts'

/** One running service, as its driver has hold of it. */
export interface ServiceProcess {
  readonly origin: string
  /** What it has complained of: the last lines of its log and of its standard error. */
  readonly complaints: readonly string[]
  /** Resolves when it is done, or has ended and will never be. */
  order(order: Order): Promise<Measurement | undefined>
  freeze(): void
  thaw(): void
  /** Sends SIGKILL and waits for its end. */
  kill(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('../service/serve-under-chaos.ts', import.meta.url))
const MAX_COMPLAINTS = 40
/** Far longer than any freeze: a service that does not answer by then never will. */
const ANSWER_MS = 60_000

/** Starts a service and resolves when it listens; rejects, with what it said, where it ends first. */
export async function startServiceProcess(options: ServeOptions): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--expose-gc', ENTRY, JSON.stringify(options)], {
    cwd: options.dataDir,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const complaints = gatherComplaints(child)
  const ended = once(child, 'close').then(() => undefined)
  const awaited = new Map<number, (measurement: Measurement | undefined) => void>()
  const ready = Promise.withResolvers<number>()
  child.on('message', (message) => {
    const report = message as Report
    if (report.kind === 'ready') return ready.resolve(report.port)
    awaited.get(report.id)?.(report.measurement)
    awaited.delete(report.id)
  })
  const early = ended.then(() => {
    throw new Error(`the service ended before it listened: ${complaints.join('\n')}`)
  })
  const port = await Promise.race([ready.promise, early])
  early.catch(() => {})

  let lastId = 0
  return {
    origin: `http://127.0.0.1:${port}`,
    complaints,
    order(order) {
      if (!child.connected) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<Measurement | undefined>()
      lastId += 1
      awaited.set(lastId, resolve)
      // A service that has just been killed does not hear it; its end answers in its place.
      child.send({ id: lastId, order } satisfies NumberedOrder, () => {})
      return withinMs(ANSWER_MS, Promise.race([promise, ended]))
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function withinMs<Result>(boundMs: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the service does not answer')), boundMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

function gatherComplaints(child: ChildProcess): string[] {
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n').filter((line) => line !== ''))
      lines.splice(0, Math.max(0, lines.length - MAX_COMPLAINTS))
    })
  }
  return lines
}
