import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEuros } from '#platform/money.ts'
import { findFreePort } from '../../../test/support/child-service.ts'
import { operate } from '../../chat/customers.ts'
import { OPERATOR_TOKEN } from '../../chat/service.ts'
import { runProcess, type RunningProcess } from '../../peers/run-process.ts'
import type { Bill, Books, Contestant, Payer, Place } from '../contestant.ts'

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const NANO_DIGITS = 9
const PAGE = 200
/** 500 requests a minute: no run has as many, so that what refuses is the money. */
const HIGHEST_TIER = 3

export const parleyOnSqlite: Contestant = {
  name: 'Parley, SQLite',
  isOurs: true,
  open: (place) => open(place, 1, {}),
}

export const parleyOnPostgres: Contestant = {
  name: 'Parley, PostgreSQL',
  isOurs: true,
  open: async (place) => open(place, 1, { DATABASE_URL: await place.createDatabase() }),
}

export const twoParleys: Contestant = {
  name: 'Parley, 2 replicas',
  isOurs: true,
  open: async (place) => open(place, 2, { DATABASE_URL: await place.createDatabase() }),
}

interface Replica {
  readonly origin: string
  running: RunningProcess
  start(): Promise<RunningProcess>
}

async function open(
  place: Place,
  count: number,
  env: Readonly<Record<string, string>>,
): Promise<Payer> {
  const config = join(place.directory, 'parley.yaml')
  writeFileSync(config, writeConfig(place.upstreamUrl))
  const replicas: Replica[] = []
  // One after the other: the first makes the tables.
  for (let number = 0; number < count; number += 1) {
    replicas.push(await startReplica(join(place.directory, String(number)), config, env))
  }
  const [first] = replicas as [Replica]
  // Whoever is asked for the books has to be up: the last is never killed, unless it is the only one.
  const asked = replicas.at(-1)?.origin ?? first.origin
  const account = await openAccount(asked, place.fundsNano)
  return {
    doors: replicas.map(({ origin }) => ({
      url: `${origin}/v1/chat/prime`,
      model: 'prime',
      headers: { authorization: `Bearer ${account.key}` },
      idHeader: 'x-request-id',
    })),
    kill: () => first.running.kill(),
    async restart() {
      first.running = await first.start()
    },
    readBooks: () => readBooks(asked, account.id, place.fundsNano),
    async stop() {
      await Promise.all(replicas.map(({ running }) => running.stop()))
    },
  }
}

async function startReplica(
  directory: string,
  config: string,
  env: Readonly<Record<string, string>>,
): Promise<Replica> {
  mkdirSync(directory)
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const start = (): Promise<RunningProcess> =>
    runProcess({
      command: process.execPath,
      args: [MAIN],
      cwd: directory,
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        PARLEY_OPS_PORT: '0',
        PARLEY_DATA_DIR: directory,
        PARLEY_CONFIG: config,
        PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
        PARLEY_SECRET: 'secret-of-the-bench-which-is-long-enough',
        ...env,
      },
      url: `${origin}/v1/openapi.json`,
    })
  return { origin, start, running: await start() }
}

function writeConfig(upstreamUrl: string): string {
  const upstream = { name: 'bench', kind: 'openai', url: `${upstreamUrl}/v1`, model: 'bench' }
  const brand = { upstreams: [upstream] }
  // What is JSON is YAML.
  return JSON.stringify({ models: { air: brand, prime: brand, nova: brand } })
}

async function openAccount(
  origin: string,
  fundsNano: number,
): Promise<{ readonly id: string; readonly key: string }> {
  const email = 'payer@example.com'
  // The first account of an address has free credit; the second has what it is given.
  await operate(origin, 'POST', '/accounts', { email })
  const { id } = await operate(origin, 'POST', '/accounts', { email })
  await operate(origin, 'PATCH', `/accounts/${id}`, { min_tier: HIGHEST_TIER })
  const digits = String(fundsNano).padStart(NANO_DIGITS + 1, '0')
  const amount = `${digits.slice(0, -NANO_DIGITS)}.${digits.slice(-NANO_DIGITS)}`
  const credit = { kind: 'deposit', amount_eur: amount, reference: 'funds' }
  await operate(origin, 'POST', `/accounts/${id}/credits`, credit)
  const { key } = await operate(origin, 'POST', `/accounts/${id}/keys`, { name: 'bench' })
  return { id, key }
}

async function readBooks(origin: string, id: string, fundsNano: number): Promise<Books> {
  const { balance_eur: balance } = await operate(origin, 'GET', `/accounts/${id}`)
  const bills: Bill[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await operate(origin, 'GET', `/accounts/${id}/receipts?limit=${PAGE}${from}`)
    for (const receipt of page.data) {
      bills.push({
        requestId: receipt.request_id,
        completionTokens: receipt.completion_tokens,
        costNano: readNano(receipt.cost_eur),
      })
    }
    cursor = page.next_cursor
  }
  const { ok, discrepancies } = await operate(origin, 'GET', '/ledger/verify')
  const problems = ok ? [] : [`the books do not add up: ${discrepancies[0]}`]
  return { bills, takenNano: fundsNano - readNano(balance), problems }
}

function readNano(euros: string): number {
  return parseEuros(euros) ?? NaN
}
