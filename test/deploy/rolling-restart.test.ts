import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEuros } from '#platform/money.ts'
import { listReceipts } from '../support/child-service.ts'
import { eventually, verifyBooks } from '../replicas/fleet.ts'
import { isPassedOver, NO_NGINX } from './start-nginx.ts'
import { startProxiedFleet, type ProxiedFleet } from './proxied-fleet.ts'

/** Rates of `air`, in nano-euros a token, and what each reply uses. */
const [INPUT, OUTPUT] = [260, 3_100]
const USAGE = { promptTokens: 11, completionTokens: 7 }
const COST = USAGE.promptTokens * INPUT + USAGE.completionTokens * OUTPUT

const LANES = 8
const PATIENCE_MS = 30_000

/** How often a deployment asks whether replicas are up: the health check of compose does once a second. */
const ASK_UP_EVERY_MS = 50

interface Outcome {
  readonly lane: number
  /** "200", or what went wrong. */
  readonly result: string
  readonly requestId: string | null
}

test('replicas restart one after the other under load: no call fails, and each is paid for once', async (t) => {
  if (isPassedOver) return t.skip(NO_NGINX)
  const fleet = await startProxiedFleet()
  t.after(() => fleet.close())
  // Long enough that some are under way at every moment.
  fleet.upstream.play({ content: 'one two three four', usage: USAGE, pace: { beforeDeltaMs: 30 } })
  const accounts = await Promise.all(
    Array.from({ length: LANES }, (_, lane) => fleet.replicas[0].openAccount(`lane-${lane}`)),
  )
  const load = startLoad(
    fleet,
    accounts.map(({ key }) => key),
  )
  try {
    for (const index of [0, 1] as const) {
      await served(fleet, 0)
      await served(fleet, 1)
      fleet.replicas[index].child.process.kill('SIGTERM')
      await fleet.restart(index)
    }
    await served(fleet, 0)
    await served(fleet, 1)
  } finally {
    await load.stop()
  }
  const kinds = Map.groupBy(load.outcomes, ({ result }) => result)
  const told = [...kinds].map(([result, all]) => `${result}: ${all.length}`).join(', ')
  t.diagnostic(told)
  assert.deepEqual([...kinds.keys()], ['200'], `${told}\n${fleet.nginx.readComplaints()}`)
  for (const [lane, { accountId }] of accounts.entries()) {
    const ended = load.outcomes.filter((one) => one.lane === lane)
    assert.ok(ended.length > 10, 'too few replies ended for this to prove anything')
    const receipts = await listReceipts(fleet.replicas[0], accountId)
    // Each once, at its exact cost, and nothing else.
    assert.equal(receipts.length, ended.length)
    assert.deepEqual(
      new Map(receipts.map((receipt) => [receipt.request_id, parseEuros(receipt.cost_eur)])),
      new Map(ended.map(({ requestId }) => [requestId, COST])),
    )
  }
  await verifyBooks(fleet.replicas[0])
})

/** Waits until nginx gives new calls to this replica, and it answers them. */
async function served(fleet: ProxiedFleet, index: 0 | 1): Promise<void> {
  const before = fleet.nginx.readLog().length
  const { port } = fleet.replicas[index]
  await eventually(
    PATIENCE_MS,
    async () => fleet.nginx.readLog().slice(before),
    (lines) => lines.some((line) => line.startsWith('200 ') && line.endsWith(`:${port}`)),
  )
}

/** Calls all the time, whole and streamed in turn, and what a deployment asks beside them. */
function startLoad(fleet: ProxiedFleet, keys: readonly string[]) {
  const outcomes: Outcome[] = []
  const over = new AbortController()
  const runLane = async (key: string, lane: number): Promise<void> => {
    for (let turn = lane; !over.signal.aborted; turn += 1) {
      outcomes.push({ lane, ...(await ask(fleet, key, turn % 2 === 0)) })
    }
  }
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const response = await fleet.call('/up')
      await response.text()
      assert.equal(response.status, 200)
      await delay(ASK_UP_EVERY_MS)
    }
  }
  const running = Promise.all([...keys.map(runLane), watch()])
  return {
    outcomes,
    async stop(): Promise<void> {
      over.abort()
      await running
    },
  }
}

async function ask(
  fleet: ProxiedFleet,
  key: string,
  stream: boolean,
): Promise<Omit<Outcome, 'lane'>> {
  const messages = [{ role: 'user', content: 'Hello' }]
  try {
    const body = { messages, max_tokens: 100, stream }
    const response = await fleet.call('/v1/chat/air', { method: 'POST', key, body })
    const requestId = response.headers.get('x-request-id')
    const text = await response.text()
    if (response.status !== 200) return { result: `${response.status}: ${text}`, requestId }
    const isWhole = stream
      ? text.endsWith('data: [DONE]\n\n') && text.includes('"finish_reason":"stop"')
      : text.includes('"content":"one two three four"')
    return { result: isWhole ? '200' : `not whole: ${text}`, requestId }
  } catch (error) {
    return { result: String((error as Error).cause ?? error), requestId: null }
  }
}
