import { credit, operate } from '../../test/support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../test/support/console-person.ts'
import { servePeople } from '../../test/support/identity/people.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { startPostgres } from '../../test/support/postgres/index.ts'
import type { Report } from '../report.ts'
import { formatCount, median } from '../statistics.ts'
import { fillAccount } from './fill-account.ts'

const RECEIPTS = 1_000_000
const DAYS = 365
const KEYS = 5
const ROUNDS = 25
const WARM_UPS = 3
const FIGURES = ['p50', 'most', 'CPU'] as const
/** A chart that comes later than this is waited for. */
const MOST_MS = 100

/** What a page of the console asks. The filter that finds nothing looks at as many receipts as one may. */
const QUESTIONS = {
  'use of a year': `/usage?from={first}&to={last}`,
  'use of a year, one key': `/usage?from={first}&to={last}&key_id={key}`,
  'statement, first page': '/movements',
  'requests, first page': '/requests',
  'requests, of a day': '/requests?from={middle}&to={middle}',
  'requests, none found': '/requests?ended=client_left',
  'keys with their last day': '/keys',
  standing: '/standing',
} as const

interface Timed {
  readonly ms: readonly number[]
  /** Of the service and its caller, and of the database where it is a thread of theirs. */
  readonly cpuMs: number
}

type Times = Readonly<Record<string, Timed>>

/** How long the console's API takes for an account with a million receipts, on each store. */
export async function runUsageBench(): Promise<Report> {
  const postgres = await startPostgres()
  try {
    const embedded = await measure(undefined)
    const shared = await measure(await postgres.createDatabase())
    const names = Object.keys(QUESTIONS)
    return {
      title: `The console's API for an account with ${formatCount(RECEIPTS)} receipts`,
      tables: [
        {
          columns: [
            'question, ms',
            ...FIGURES.map((one) => `SQLite ${one}`),
            ...FIGURES.map((one) => `PostgreSQL ${one}`),
          ],
          rows: names.map((name) => [
            name,
            ...describeTimes(embedded.times[name]),
            ...describeTimes(shared.times[name]),
          ]),
        },
      ],
      notes: [
        `Of ${DAYS} days, three brands and ${KEYS} keys, spread evenly; each answer over HTTP, ${ROUNDS} times ` +
          'one after the other, service and caller in one process that shares the machine with the database. ' +
          'CPU is that of this process for one answer: on the embedded store, all there is.',
      ],
      problems: [
        ...embedded.problems.map((problem) => `SQLite: ${problem}`),
        ...shared.problems.map((problem) => `PostgreSQL: ${problem}`),
      ],
    }
  } finally {
    await postgres.close()
  }
}

async function measure(
  databaseUrl: string | undefined,
): Promise<{ readonly times: Times; readonly problems: readonly string[] }> {
  const closers: (() => void | Promise<void>)[] = []
  const service = await servePeople(
    { after: (close) => void closers.push(close) },
    {
      clock: createManualClock(Date.now()),
      ...(databaseUrl === undefined ? { embedded: true } : { databaseUrl }),
    },
  )
  try {
    const person = await openConsolePerson(service)
    const keyIds: string[] = []
    for (let place = 0; place < KEYS; place += 1) {
      keyIds.push((await person.own('POST', '/keys', { name: `key ${place}` })).json.id)
    }
    const { accountId } = person
    await credit(service, accountId, 'deposit', '10000')
    await fillAccount(service, databaseUrl, { accountId, keyIds, receipts: RECEIPTS, days: DAYS })
    const times: Record<string, Timed> = {}
    for (const [name, question] of Object.entries(QUESTIONS)) {
      times[name] = await timeQuestion(
        person,
        fillIn(question, keyIds[0] ?? '', service.clock.nowMs()),
      )
    }
    return { times, problems: await findProblems(person, times) }
  } finally {
    for (const close of closers) await close()
  }
}

function fillIn(question: string, keyId: string, nowMs: number): string {
  const dayOf = (daysAgo: number): string =>
    new Date(nowMs - daysAgo * 86_400_000).toISOString().slice(0, 10)
  return question
    .replace('{first}', dayOf(DAYS - 1))
    .replace('{last}', dayOf(0))
    .replaceAll('{middle}', dayOf(100))
    .replace('{key}', keyId)
}

async function timeQuestion(person: ConsolePerson, question: string): Promise<Timed> {
  const { service, session, accountId } = person
  const url = `${service.origin}/console/api/accounts/${accountId}${question}`
  async function ask(): Promise<number> {
    const startedMs = performance.now()
    const response = await fetch(url, { headers: session })
    await response.text()
    if (response.status !== 200) throw new Error(`${question} was answered with ${response.status}`)
    return performance.now() - startedMs
  }
  for (let round = 0; round < WARM_UPS; round += 1) await ask()
  const before = process.cpuUsage()
  const ms: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) ms.push(await ask())
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000 / ROUNDS }
}

/** Slow answers, and books that do not add up: then it was not this account that was asked about. */
async function findProblems({ service, own }: ConsolePerson, times: Times): Promise<string[]> {
  const problems: string[] = []
  for (const [name, { ms }] of Object.entries(times)) {
    const medianMs = median(ms)
    if (medianMs >= MOST_MS) problems.push(`${name} takes ${medianMs.toFixed(1)} ms`)
  }
  const { json: verification } = await operate(service, 'GET', '/ledger/verify')
  problems.push(...verification.discrepancies)
  const { json: usage } = await own('GET', `/usage?from=${dayBefore(service.clock.nowMs(), DAYS)}`)
  const { requests } = usage.totals
  if (requests !== RECEIPTS) problems.push(`${requests} requests were found`)
  return problems
}

function dayBefore(nowMs: number, days: number): string {
  return new Date(nowMs - days * 86_400_000).toISOString().slice(0, 10)
}

function describeTimes(timed: Timed | undefined): string[] {
  if (!timed) return []
  const { ms, cpuMs } = timed
  return [median(ms), Math.max(...ms), cpuMs].map((figure) => figure.toFixed(1))
}
