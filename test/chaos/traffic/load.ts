import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, type Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'
import type { RoundAccount } from './accounts.ts'
import { ask, type AskTools, type Question } from './ask.ts'
import { BRANDS, type Attempt } from './attempt.ts'

/** The clients of one round, and what they saw. */
export interface Load {
  readonly attempts: readonly Attempt[]
  /** One request more, beside those that go on of themselves. */
  ask(question: Question): Promise<Attempt | undefined>
  /** Resolves when no client waits any more. Those that wait too long are sent away. */
  stop(): Promise<void>
}

/** Whoever is refused or meets nobody comes again after a while, as clients should. */
const COME_AGAIN_MS = 25
/** In the end, how long the last replies may take before their clients leave. */
const LAST_WAIT_MS = 4_000

export function startLoad(world: World, accounts: readonly RoundAccount[], seed: number): Load {
  const attempts: Attempt[] = []
  const stopping = new AbortController()
  const leaving = new AbortController()
  const agent = new Agent({ keepAlive: true })
  const chance = createRandom(seed)
  const tools: AskTools = {
    origin: () => {
      const origins = world.origins()
      return origins.length === 0 ? undefined : chance.pick(origins)
    },
    clock: world.clock,
    agent,
    signal: leaving.signal,
  }
  const besides = new Set<Promise<unknown>>()

  async function askAndNote(question: Question): Promise<Attempt | undefined> {
    const attempt = await ask(tools, question)
    if (attempt) attempts.push(attempt)
    return attempt
  }

  async function runLane(account: RoundAccount): Promise<void> {
    const random = createRandom(chance.between(0, 2 ** 30))
    while (!stopping.signal.aborted) {
      const attempt = await askAndNote(planQuestion(account, random))
      if (attempt?.end.kind !== 'whole') await delay(COME_AGAIN_MS)
    }
  }

  const lanes = accounts.flatMap((account) =>
    Array.from({ length: account.lanes }, () => runLane(account)),
  )
  return {
    attempts,
    async ask(question) {
      const asked = askAndNote(question)
      besides.add(asked)
      return asked
    },
    async stop() {
      stopping.abort()
      const sendAway = setTimeout(() => leaving.abort(), LAST_WAIT_MS)
      await Promise.all(lanes)
      // Clients that read or wait for ever are for the faults to send away; here is the last call.
      leaving.abort()
      clearTimeout(sendAway)
      await Promise.all(besides)
      agent.destroy()
    },
  }
}

function planQuestion(account: RoundAccount, random: Random): Question {
  const isHasty = random.between(1, 12) === 1
  return {
    account,
    brand: random.pick(BRANDS),
    streamed: random.between(0, 1) === 0,
    maxTokens: random.pick(account.maxTokens),
    topic: 'Hello',
    ...(isHasty && { patienceMs: random.between(2, 400) }),
  }
}
