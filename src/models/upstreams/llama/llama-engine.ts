import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { formatBytes } from '#platform/format-bytes.ts'
import type { Log } from '#platform/log.ts'
import type { Opening, UpstreamFailure, UpstreamRequest } from '../upstream.ts'
import type { EngineNews, EngineOrder, EnginePlan, EngineWish } from './engine-messages.ts'
import { DEFAULT_CONTEXT_TOKENS, type LlamaOptions } from './llama-options.ts'
import { LlamaRefused } from './llama-refused.ts'
import { LlamaReply } from './llama-reply.ts'
import { ENGINE, findEngine } from './places.ts'

const CHILD = fileURLToPath(new URL('./llama-process.ts', import.meta.url))
/** Requests beyond this are turned away: they would wait for minutes. */
const MAX_WAITING = 64
const LEAST_REST_MS = 500
const MOST_REST_MS = 60_000
/** How long an engine gets that is to end, before it is ended. */
const PARTING_MS = 2_000
/** How long it may take to say what the file takes. */
const PLAN_MS = 60_000

/** A model file that is run in a process of its own, for all upstreams that name it alike. */
export class LlamaEngine {
  readonly #options: LlamaOptions
  readonly #log: Pick<Log, 'info' | 'error'>
  readonly #waiting: LlamaReply[] = []
  readonly #underWay = new Map<number, LlamaReply>()
  /** Settled when the first process has told its plan, or why there will be none yet. */
  readonly #firstPlan = Promise.withResolvers<void>()
  #state: 'starting' | 'ready' | 'resting' | 'closed' = 'starting'
  #child: ChildProcess | undefined
  #plan: EnginePlan | undefined
  #brokenBecause: string | undefined
  #restMs = LEAST_REST_MS
  #restTimer: NodeJS.Timeout | undefined
  #planTimer: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(options: LlamaOptions, log: Pick<Log, 'info' | 'error'>) {
    this.#options = options
    this.#log = log
    this.#start()
  }

  /** What the file takes; undefined where it could not be read so far. */
  get plan(): EnginePlan | undefined {
    return this.#plan
  }

  /** Resolves once it is known what the file takes, or that it cannot be read. */
  planned(): Promise<void> {
    return this.#firstPlan.promise
  }

  /** Waits its turn, first come, first served. */
  open(request: UpstreamRequest, thinks: boolean, signal: AbortSignal): Promise<Opening> {
    const failure = this.#refuse(signal)
    if (failure) return Promise.resolve({ kind: 'failed', failure })
    this.#lastId += 1
    const reply = new LlamaReply(this.#lastId, request, thinks, signal, this.#onGivenUp)
    this.#waiting.push(reply)
    this.#dispatch()
    return reply.delivery.opening.promise
  }

  async close(): Promise<void> {
    this.#state = 'closed'
    clearTimeout(this.#restTimer)
    const child = this.#child
    this.#endAll('the engine was closed')
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const timer = setTimeout(() => child.kill('SIGKILL'), PARTING_MS)
    const exited = once(child, 'exit')
    if (child.connected) child.disconnect()
    await exited
    clearTimeout(timer)
  }

  #refuse(signal: AbortSignal): UpstreamFailure | undefined {
    if (signal.aborted) return { kind: 'cancelled', reason: 'the client has left already' }
    if (this.#state === 'closed' || this.#state === 'resting') {
      return { kind: 'unavailable', reason: `the engine is ${this.#state}` }
    }
    if (this.#waiting.length < MAX_WAITING) return undefined
    return { kind: 'unavailable', reason: `${MAX_WAITING} requests wait already` }
  }

  #start(): void {
    const {
      path,
      dataDir,
      contextTokens = DEFAULT_CONTEXT_TOKENS,
      sequences,
      threads,
    } = this.#options
    const engine = findEngine(dataDir)
    if (engine === undefined) {
      const refused = notInstalled(path)
      this.#firstPlan.reject(refused)
      return this.#rest(refused.message)
    }
    const wish: EngineWish = {
      engine,
      path,
      contextTokens,
      sequences,
      threads,
      machineBytes: machineBytes(),
    }
    this.#state = 'starting'
    this.#brokenBecause = undefined
    // It needs nothing of our environment, which has secrets, and its output could quote anything.
    const child = fork(CHILD, {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child = child
    child.on('message', (news) => this.#take(news as EngineNews))
    child.once('error', (error) => this.#onExit(child, error.message))
    child.once('exit', (code, signal) => this.#onExit(child, signal ?? `status ${code}`))
    this.#planTimer = setTimeout(() => child.kill('SIGKILL'), PLAN_MS)
    this.#tell({ kind: 'plan', wish })
  }

  #take(news: EngineNews): void {
    switch (news.kind) {
      case 'planned':
        return this.#onPlanned(news.plan)
      case 'loaded':
        this.#state = 'ready'
        this.#log.info({ path: this.#options.path }, 'model file loaded')
        return this.#dispatch()
      case 'broken':
        this.#brokenBecause = news.reason
        return
      case 'piece':
      case 'call':
        this.#underWay.get(news.id)?.take(news)
        return
      case 'end':
        return this.#onEnd(news)
    }
  }

  #onPlanned(plan: EnginePlan): void {
    clearTimeout(this.#planTimer)
    const { memoryBytes, contextTokens, sequences } = plan
    const described = `${sequences} replies at once, of ${contextTokens} tokens each`
    if (memoryBytes > machineBytes()) {
      const problem =
        `${this.#options.path} takes up to ${formatBytes(memoryBytes)} with ${described}, and this ` +
        `machine has ${formatBytes(machineBytes())}. Set context_tokens or sequences lower, or take a smaller model.`
      this.#brokenBecause = problem
      this.#firstPlan.reject(new LlamaRefused(problem))
      this.#child?.disconnect()
      return
    }
    this.#plan = plan
    this.#firstPlan.resolve()
    this.#log.info(
      {
        path: this.#options.path,
        memory_bytes: memoryBytes,
        context_tokens: contextTokens,
        sequences,
        threads: plan.threads,
      },
      'loading a model file',
    )
    this.#tell({ kind: 'load' })
  }

  #onEnd(news: EngineNews & { readonly kind: 'end' }): void {
    const reply = this.#underWay.get(news.id)
    this.#underWay.delete(news.id)
    reply?.take(news)
    // It works: the next time that it ends, it may come back at once.
    if (news.end.kind === 'finished') this.#restMs = LEAST_REST_MS
    this.#dispatch()
  }

  #dispatch(): void {
    const most = this.#plan?.sequences ?? 0
    while (this.#state === 'ready' && this.#underWay.size < most) {
      const reply = this.#waiting.shift()
      if (!reply) return
      this.#underWay.set(reply.id, reply)
      reply.noteTurn()
      const { prompt, maxTokens, temperature } = reply.request
      const request = { prompt, maxTokens, temperature, thinks: reply.thinks }
      this.#tell({ kind: 'generate', id: reply.id, request })
    }
  }

  readonly #onGivenUp = (reply: LlamaReply, isSilent: boolean): void => {
    const place = this.#waiting.indexOf(reply)
    if (place >= 0) {
      this.#waiting.splice(place, 1)
      return
    }
    // Its sequence is free when the engine says so, not before.
    this.#tell({ kind: 'cancel', id: reply.id })
    // An engine that says nothing for so long hangs, and everyone's replies with it.
    if (isSilent) this.#child?.kill('SIGKILL')
  }

  #onExit(child: ChildProcess, how: string): void {
    if (child !== this.#child) return
    this.#child = undefined
    clearTimeout(this.#planTimer)
    const reason = this.#brokenBecause ?? `the engine ended (${how})`
    // A start goes on without it: the file may be mended.
    this.#firstPlan.resolve()
    if (this.#state !== 'closed') this.#rest(reason)
  }

  #rest(reason: string): void {
    this.#state = 'resting'
    this.#log.error({ path: this.#options.path, reason, retry_ms: this.#restMs }, 'engine ended')
    this.#endAll(reason)
    this.#restTimer = setTimeout(() => this.#start(), this.#restMs)
    this.#restMs = Math.min(this.#restMs * 2, MOST_REST_MS)
  }

  #endAll(reason: string): void {
    const cutOff = [...this.#underWay.values()]
    const waiting = this.#waiting.splice(0)
    this.#underWay.clear()
    for (const reply of cutOff) {
      reply.end({ kind: reply.begun ? 'malformed' : 'unreachable', reason })
    }
    for (const reply of waiting) reply.end({ kind: 'unavailable', reason })
  }

  #tell(order: EngineOrder): void {
    // Where it has just ended, what is to be done about that is done when we are told so.
    if (this.#child?.connected) this.#child.send(order, () => {})
  }
}

function notInstalled(path: string): LlamaRefused {
  return new LlamaRefused(
    `The model file ${path} needs the package ${ENGINE.package}@${ENGINE.version}, which is not ` +
      'installed. Install it with: npx parley model install',
  )
}

/** What this process may use, of the machine or of its container. */
function machineBytes(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}
