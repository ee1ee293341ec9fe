import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startPostgres, type Postgres } from '../../test/support/postgres/index.ts'
import { startChild, type Child } from '../chat/child.ts'
import type { Pace, Report } from '../report.ts'
import { createTemporaryDirectory, removeDirectory } from '../temporary-directory.ts'
import type { Books, Contestant, Payer } from './contestant.ts'
import { litellm } from './contestants/litellm.ts'
import { oneApi } from './contestants/one-api.ts'
import { parleyOnPostgres, parleyOnSqlite, twoParleys } from './contestants/parley.ts'
import { findBroken } from './find-broken.ts'
import { reckon, type Reckoning } from './reckon.ts'
import { REPLY_NANO } from './reply.ts'
import { SCENARIOS, type Scenario } from './scenarios.ts'
import type { Account, WitnessQuestion } from './witness-process.ts'
import { writeMoneyReport, type Entry } from './write-money-report.ts'

const CONTESTANTS: readonly Contestant[] = [
  parleyOnSqlite,
  parleyOnPostgres,
  twoParleys,
  litellm,
  oneApi,
]

/** What is counted here does not scatter as times do. */
const MOST_ROUNDS = 3
/** Books that are the same so long after nothing is under way are taken to be all there is. */
const QUIET_MS = 1_500
const QUIET_LOOKS = 20

interface Rig {
  readonly directory: string
  readonly createDatabase: () => Promise<string>
}

/** Everybody through the same scenarios, each time with new funds and nothing kept from before. */
export async function runMoneyBench(pace: Pace): Promise<Report> {
  const rounds = Math.min(pace.rounds, MOST_ROUNDS)
  const directory = createTemporaryDirectory()
  let postgres: Promise<Postgres> | undefined
  const rig: Rig = {
    directory,
    async createDatabase() {
      postgres ??= startPostgres({ durable: true })
      return (await postgres).createDatabase()
    },
  }
  const findings: Gathered = { entries: [], absent: new Map(), problems: [] }
  try {
    for (const scenario of SCENARIOS) {
      for (const contestant of Array.from({ length: rounds }, () => CONTESTANTS).flat()) {
        if (findings.absent.has(contestant.name)) continue
        tell(`${scenario.name}: ${contestant.name}`)
        add(findings, contestant, scenario, await tryOut(rig, contestant, scenario))
      }
    }
    return writeMoneyReport({ ...findings, rounds })
  } finally {
    await (await postgres)?.close()
    removeDirectory(directory)
  }
}

interface Gathered {
  readonly entries: Entry[]
  /** Who could not be had, or did not hold out, and why. */
  readonly absent: Map<string, string>
  readonly problems: string[]
}

function add(
  { entries, absent, problems }: Gathered,
  { name, isOurs }: Contestant,
  scenario: Scenario,
  found: Trial | Error,
): void {
  if (found instanceof Error) {
    absent.set(name, `${scenario.name}: ${found.message}`)
    if (isOurs) problems.push(`${name} was not run, ${scenario.name}: ${found.message}`)
    return
  }
  entries.push({ name, scenario, reckoning: found.reckoning })
  const broken = isOurs ? findBroken(scenario, found.reckoning) : []
  problems.push(...[...found.problems, ...broken].map((text) => `${name}: ${text}`))
}

interface Trial {
  readonly reckoning: Reckoning
  readonly problems: readonly string[]
}

/** An error: it could not be had here, or did not hold out. */
async function tryOut(
  { directory, createDatabase }: Rig,
  { open }: Contestant,
  scenario: Scenario,
): Promise<Trial | Error> {
  const own = join(directory, 'one')
  mkdirSync(own)
  const witness = startChild(new URL('./witness-process.ts', import.meta.url))
  let payer: Payer | undefined
  try {
    const upstreamUrl = await witness.ask<string>({ ask: 'url' } satisfies WitnessQuestion)
    const fundsNano = scenario.funds * REPLY_NANO
    payer = await open({ directory: own, upstreamUrl, fundsNano, createDatabase })
    const attempts = await scenario.run(payer)
    const { books, sent } = await waitUntilQuiet(payer, witness)
    return { reckoning: reckon({ fundsNano, attempts, sent, books }), problems: books.problems }
  } catch (error) {
    return error as Error
  } finally {
    await payer?.stop()
    await witness.stop()
    removeDirectory(own)
  }
}

interface Settled {
  readonly books: Books
  readonly sent: Account['sent']
}

async function waitUntilQuiet(payer: Payer, witness: Child): Promise<Settled> {
  let last = ''
  for (let look = 0; look < QUIET_LOOKS; look += 1) {
    const question = { ask: 'account' } satisfies WitnessQuestion
    const { sent, underWay } = await witness.ask<Account>(question)
    const books = await payer.readBooks()
    const now = JSON.stringify([books.bills.length, books.takenNano, sent])
    if (underWay === 0 && now === last) return { books, sent }
    last = now
    await wait(QUIET_MS)
  }
  throw new Error('the books do not come to rest')
}

/** It takes minutes: whoever waits sees where it is. */
function tell(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${what}`)
}
