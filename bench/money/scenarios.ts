import { setTimeout as wait } from 'node:timers/promises'
import { call, type Attempt } from './call.ts'
import type { Payer } from './contestant.ts'
import { PAUSE_MS, TOKENS } from './reply.ts'

/** One way in which money is lost elsewhere. */
export interface Scenario {
  readonly name: string
  /** What the account has, in replies. */
  readonly funds: number
  /** Ends processes: replies that were under way are nobody's to charge. */
  readonly kills: boolean
  run(payer: Payer): Promise<Attempt[]>
}

const BURST = 200
/** Few enough that no account meets its requests a minute, whatever is refused. */
const CALLERS = 40
const MOST_EACH = 8
/** When the process is killed: some have ended, and all callers have one under way. */
const ENDED_BEFORE_KILL = 60
const LEAVERS = 60
const BREAKERS = 96
/** One of so many breaks off: were it each, the upstream would rightly not be asked any more. */
const BREAKS_EACH = 4

export const SCENARIOS: readonly Scenario[] = [
  { name: 'burst', funds: 50, kills: false, run: burst },
  { name: 'kill', funds: 200, kills: true, run: killMidway },
  { name: 'leave', funds: 200, kills: false, run: leaveMidway },
  { name: 'break', funds: 200, kills: false, run: breakMidway },
]

/** All at once, and money for a quarter of them. */
function burst({ doors }: Payer): Promise<Attempt[]> {
  return inTurns(BURST, BURST, (number) => call(pick(doors, number), { number, breaksAfter: 0 }))
}

/**
 * Callers ask again and again; in their midst the process is killed, and started again. They go on
 * until they are refused.
 */
async function killMidway(payer: Payer): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  const enough = Promise.withResolvers<void>()
  const back = Promise.withResolvers<void>()
  let number = 0
  async function repeat(place: number): Promise<void> {
    // Spread over a reply's length, so that whenever it happens all are somewhere within one.
    await wait((place * PAUSE_MS * TOKENS) / CALLERS)
    for (let turn = 0; turn < MOST_EACH; turn += 1) {
      const attempt = await call(pick(payer.doors, place), { number: number++, breaksAfter: 0 })
      attempts.push(attempt)
      if (attempt.end === 'refused') return
      if (attempts.length >= ENDED_BEFORE_KILL) enough.resolve()
      if (attempt.end === 'cut') await back.promise
    }
  }
  const callers = Array.from({ length: CALLERS }, (_, place) => repeat(place))
  await Promise.race([enough.promise, Promise.all(callers)])
  await payer.kill()
  await payer.restart()
  back.resolve()
  await Promise.all(callers)
  return attempts
}

/** Everybody leaves, each after another number of tokens. */
function leaveMidway({ doors }: Payer): Promise<Attempt[]> {
  return inTurns(LEAVERS, 20, (number) =>
    call(pick(doors, number), { number, breaksAfter: 0 }, placeMidway(number)),
  )
}

/** Of every four replies the upstream breaks one off, each after another number of tokens. */
function breakMidway({ doors }: Payer): Promise<Attempt[]> {
  return inTurns(BREAKERS, 12, (number) => {
    const breaksAfter = number % BREAKS_EACH === 0 ? placeMidway(number) : 0
    return call(pick(doors, number), { number, breaksAfter })
  })
}

/** From the second token to the last but one. */
function placeMidway(number: number): number {
  return 2 + ((number * 7) % (TOKENS - 3))
}

async function inTurns(
  count: number,
  atOnce: number,
  attempt: (number: number) => Promise<Attempt>,
): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  let next = 0
  async function repeat(): Promise<void> {
    while (next < count) attempts.push(await attempt(next++))
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  return attempts
}

function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length]
  if (item === undefined) throw new Error('there is none to choose from')
  return item
}
