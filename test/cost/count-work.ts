import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { encodeReply, startFixedUpstream } from '../support/fake-upstream/index.ts'
import { startChildService, type ChildService } from '../support/child-service.ts'
import type { Scope } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import type { Wish, Work } from './probe.ts'

export interface Counter {
  /** Of one request: they come one at a time, so that no two share anything. */
  count(body: object): Promise<Work>
}

const ACCOUNTS = 8
/** Until everything that is kept has been made: statements, shapes, connections. */
const WARM_UP = 200
const REQUESTS = 200
const CHUNKS = 50

/**
 * Nothing is compiled, so that what is allocated is what is written, and not what a compiler has
 * left of it by then; and nothing is collected in between.
 */
const NODE_ARGS = [
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
  '--expose-gc',
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
]

/** The service as a process of its own, at an upstream that is not counted. */
export async function startCounter(
  t: Scope,
  env: Readonly<Record<string, string>> = {},
): Promise<Counter> {
  const upstream = await startFixedUpstream({
    json: encodeReply({ content: 'So it is. '.repeat(200), dialect: 'vllm' }).json,
    sse: encodeReply({
      deltas: Array.from({ length: CHUNKS }, () => 'So it is. '),
      dialect: 'vllm',
    }).sse,
  })
  t.after(() => upstream.close())
  const dataDir = makeTemporaryDirectory(t)
  const path = join(dataDir, 'probe')
  const probe = new URL('./probe.ts', import.meta.url)
  probe.searchParams.set('path', path)
  const service = await startChildService({
    dataDir,
    upstreamUrl: upstream.url,
    nodeArgs: [...NODE_ARGS, '--import', probe.href],
    env: { LOG_LEVEL: 'info', NODE_ENV: 'production', PARLEY_OPS_PORT: '0', ...env },
  })
  t.after(() => service.child.kill())
  const keys = await openKeys(service)
  let asked = 0

  async function ask(body: object): Promise<void> {
    asked += 1
    const response = await fetch(`${service.origin}/v1/chat/air`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[asked % keys.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    const answer = await response.text()
    if (response.status !== 200) throw new Error(`${response.status}: ${answer}`)
  }

  return {
    async count(body) {
      for (let count = 0; count < WARM_UP; count += 1) await ask(body)
      const before = await read(path, 'collect')
      for (let count = 0; count < REQUESTS; count += 1) await ask(body)
      return subtract(await read(path, 'measure'), before)
    },
  }
}

async function openKeys(service: ChildService): Promise<readonly string[]> {
  const names = Array.from({ length: ACCOUNTS }, (_, place) => `account-${place}`)
  const accounts = await Promise.all(names.map((name) => service.openAccount(name)))
  return accounts.map(({ key }) => key)
}

async function read(path: string, wish: Wish): Promise<Work> {
  const socket = connect(path)
  socket.write(wish)
  return JSON.parse(await text(socket)) as Work
}

function subtract(after: Work, before: Work): Work {
  const names = Object.keys(after) as (keyof Work)[]
  const each = names.map((name) => [name, (after[name] - before[name]) / REQUESTS])
  return Object.fromEntries(each) as Work
}
