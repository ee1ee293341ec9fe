import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '../../../test/support/child-service.ts'
import { installLitellm, LITELLM_ENV } from '../../peers/contestants/litellm.ts'
import { runProcess, type RunningProcess } from '../../peers/run-process.ts'
import type { Bill, Books, Contestant } from '../contestant.ts'
import { PRICES } from '../reply.ts'

const MASTER_KEY = 'sk-of-the-bench'
const NANO_PER_EURO = 1e9
const LOOK_EVERY_MS = 20

/**
 * Keys with budgets need a database, and that needs programs that its package does not have. Budgets of
 * providers do not: they are kept in memory, and in Redis where there is one.
 */
export const litellm: Contestant = {
  name: hasRedis() ? 'LiteLLM, Redis' : 'LiteLLM, in memory',
  isOurs: false,
  async open({ directory, upstreamUrl, fundsNano }) {
    const installed = installLitellm()
    const redisPort = hasRedis() ? await findFreePort() : undefined
    const redis = redisPort === undefined ? undefined : await startRedis(directory, redisPort)
    const bills = join(directory, 'bills.jsonl')
    const config = join(directory, 'config.yaml')
    const settings = { upstreamUrl, fundsNano, redisPort }
    writeFileSync(config, writeConfig(settings))
    copyFileSync(
      new URL('../../peers/packages/litellm/bills.py', import.meta.url),
      join(directory, 'bills.py'),
    )
    const port = await findFreePort()
    const origin = `http://127.0.0.1:${port}`
    const start = (): Promise<RunningProcess> =>
      runProcess({
        command: join(installed, 'venv/bin/litellm'),
        args: [
          '--config',
          config,
          '--host',
          '127.0.0.1',
          '--port',
          `${port}`,
          '--num_workers',
          '1',
        ],
        cwd: directory,
        env: { ...LITELLM_ENV, BILLS: bills },
        url: `${origin}/health/liveliness`,
      })
    let running = await start()
    return {
      doors: [
        {
          url: `${origin}/v1/chat/completions`,
          model: 'bench',
          headers: { authorization: `Bearer ${MASTER_KEY}` },
          idHeader: 'x-litellm-call-id',
        },
      ],
      kill: () => running.kill(),
      async restart() {
        running = await start()
      },
      readBooks: () => readBooks(origin, bills),
      async stop() {
        await running.stop()
        if (redis) await stop(redis)
      },
    }
  },
}

interface Settings {
  readonly upstreamUrl: string
  readonly fundsNano: number
  readonly redisPort: number | undefined
}

function writeConfig({ upstreamUrl, fundsNano, redisPort }: Settings): string {
  // What is JSON is YAML.
  return JSON.stringify({
    model_list: [
      {
        model_name: 'bench',
        litellm_params: { model: 'openai/bench', api_base: `${upstreamUrl}/v1`, api_key: 'unused' },
        model_info: {
          input_cost_per_token: PRICES.input / NANO_PER_EURO,
          output_cost_per_token: PRICES.output / NANO_PER_EURO,
        },
      },
    ],
    router_settings: {
      provider_budget_config: {
        openai: { budget_limit: fundsNano / NANO_PER_EURO, time_period: '1d' },
      },
      // What is tried again is sent twice, and an upstream that broke off is asked on: so it is with all here.
      num_retries: 0,
      disable_cooldowns: true,
      ...(redisPort !== undefined && { redis_host: '127.0.0.1', redis_port: redisPort }),
    },
    general_settings: { master_key: MASTER_KEY },
    litellm_settings: { callbacks: ['bills.bills'], request_timeout: 600, telemetry: false },
  })
}

function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** Every write of it is on the disk before it is answered. */
async function startRedis(directory: string, port: number): Promise<ChildProcess> {
  const args = ['--port', `${port}`, '--dir', directory, '--save', '']
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always']
  const child = spawn('redis-server', [...args, ...durable], { stdio: 'ignore' })
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error('Redis does not start')
    await wait(LOOK_EVERY_MS)
  }
  return child
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}

async function readBooks(origin: string, bills: string): Promise<Books> {
  const response = await fetch(`${origin}/provider/budgets`, {
    headers: { authorization: `Bearer ${MASTER_KEY}` },
  })
  if (!response.ok) throw new Error(`the budgets are not told: ${await response.text()}`)
  const { providers } = (await response.json()) as {
    providers: { openai: { spend: number | null } }
  }
  return {
    bills: existsSync(bills) ? readBills(readFileSync(bills, 'utf8')) : [],
    takenNano: Math.round((providers.openai.spend ?? 0) * NANO_PER_EURO),
    problems: [],
  }
}

interface Line {
  readonly request_id: string
  readonly completion_tokens: number
  readonly cost: number
}

/** What was being written when it was killed is no bill. */
function readBills(text: string): Bill[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => {
    const {
      request_id: requestId,
      completion_tokens: completionTokens,
      cost,
    } = JSON.parse(line) as Line
    return { requestId, completionTokens, costNano: Math.round(cost * NANO_PER_EURO) }
  })
}
