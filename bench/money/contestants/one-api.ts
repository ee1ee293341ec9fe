import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findFreePort } from '../../../test/support/child-service.ts'
import { installLitellm } from '../../peers/contestants/litellm.ts'
import { install } from '../../peers/install.ts'
import { runProcess, type RunningProcess } from '../../peers/run-process.ts'
import type { Books, Contestant } from '../contestant.ts'
import { PRICES } from '../reply.ts'

const ROOT = 'root-of-the-bench'
const PASSWORD = 'password-of-payer'
const MODEL = 'bench'
/** What it counts in: 500 000 to the dollar, and a dollar stands for a euro here. */
const QUOTA_NANO = 2_000
/** Of an entry of its log: tokens were used. */
const CONSUMED = 2
/** Its own default is more than a PostgreSQL takes. */
const CONNECTIONS = { SQL_MAX_OPEN_CONNS: '50', SQL_MAX_IDLE_CONNS: '50' } as const
/** Of a channel: speaks OpenAI's format. */
const OPENAI = 1

/** On PostgreSQL, with its defaults: no Redis, no batches of updates. */
export const oneApi: Contestant = {
  name: 'one-api',
  isOurs: false,
  async open({ directory, upstreamUrl, fundsNano, createDatabase }) {
    const program = join(install('one-api', [['sh', 'build.sh']]), 'one-api')
    const port = await findFreePort()
    const origin = `http://127.0.0.1:${port}`
    const database = await createDatabase()
    const start = (): Promise<RunningProcess> =>
      runProcess({
        command: program,
        args: ['--port', String(port), '--log-dir', join(directory, 'logs')],
        cwd: directory,
        env: {
          INITIAL_ROOT_ACCESS_TOKEN: ROOT,
          SQL_DSN: database,
          ...CONNECTIONS,
          ...findTokenTables(),
        },
        url: `${origin}/api/status`,
      })
    let running = await start()
    const quota = Math.round(fundsNano / QUOTA_NANO)
    const { key, userId } = await openAccount(origin, upstreamUrl, quota)
    return {
      doors: [
        {
          url: `${origin}/v1/chat/completions`,
          model: MODEL,
          headers: { authorization: `Bearer sk-${key}` },
          idHeader: 'x-oneapi-request-id',
        },
      ],
      kill: () => running.kill(),
      async restart() {
        running = await start()
      },
      readBooks: async () => readBooks(database, userId, quota),
      stop: () => running.stop(),
    }
  },
}

/** It fetches two tables of tokens at its start; LiteLLM's package has the same files, where it is installed. */
function findTokenTables(): Readonly<Record<string, string>> {
  const own = process.env['TIKTOKEN_CACHE_DIR']
  if (own !== undefined) return { TIKTOKEN_CACHE_DIR: own }
  const packages = join(installLitellm(), 'venv/lib/python3.11/site-packages')
  const shipped = join(packages, 'litellm/litellm_core_utils/tokenizers')
  return existsSync(shipped) ? { TIKTOKEN_CACHE_DIR: shipped } : {}
}

interface OpenedAccount {
  readonly key: string
  readonly userId: number
}

async function openAccount(
  origin: string,
  upstreamUrl: string,
  quota: number,
): Promise<OpenedAccount> {
  const api = `${origin}/api`
  const root = { authorization: ROOT }
  const name = 'payer'
  const input = PRICES.input / QUOTA_NANO
  const prices = { ModelRatio: input, CompletionRatio: PRICES.output / PRICES.input }
  for (const [key, ratio] of Object.entries(prices)) {
    await ask('PUT', `${api}/option/`, root, { key, value: JSON.stringify({ [MODEL]: ratio }) })
  }
  const channel = { type: OPENAI, name: MODEL, key: 'unused', base_url: upstreamUrl }
  await ask('POST', `${api}/channel/`, root, { ...channel, models: MODEL, group: 'default' })
  await ask('POST', `${api}/user/`, root, { username: name, password: PASSWORD })
  const login = await ask('POST', `${api}/user/login`, {}, { username: name, password: PASSWORD })
  const userId = Number(login.data?.id)
  await ask('PUT', `${api}/user/`, root, { id: userId, username: name, quota })
  // The key has no limit of its own: what is prepaid is the user's.
  const key = { name, expired_time: -1, unlimited_quota: true }
  const made = await ask('POST', `${api}/token/`, { cookie: login.cookie }, key)
  return { userId, key: String(made.data?.key) }
}

interface Answer {
  readonly cookie: string
  readonly data: Readonly<Record<string, unknown>> | undefined
}

/** It answers 200 to what it refuses, too. */
async function ask(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as {
    success: boolean
    message: string
    data?: Record<string, unknown>
  }
  if (!answer.success) throw new Error(`${method} ${url}: ${answer.message}`)
  const cookie = response.headers.getSetCookie().map((text) => text.split(';', 1)[0])
  return { cookie: cookie.join('; '), data: answer.data }
}

async function readBooks(database: string, userId: number, quota: number): Promise<Books> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    const { rows: users } = await client.query<{ quota: string }>(
      'select quota from users where id = $1',
      [userId],
    )
    const { rows: logs } = await client.query<LogEntry>(
      'select request_id, completion_tokens, quota from logs where type = $1',
      [CONSUMED],
    )
    return {
      bills: logs.map((entry) => ({
        requestId: entry.request_id,
        completionTokens: Number(entry.completion_tokens),
        costNano: Number(entry.quota) * QUOTA_NANO,
      })),
      takenNano: (quota - Number(users[0]?.quota)) * QUOTA_NANO,
      problems: [],
    }
  } finally {
    await client.end()
  }
}

interface LogEntry {
  readonly request_id: string
  readonly completion_tokens: string
  readonly quota: string
}
