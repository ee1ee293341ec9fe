import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEuros } from '#platform/money.ts'
import {
  listReceipts,
  startChildService,
  type ChildService,
  type Receipt,
} from '../support/child-service.ts'
import { startFakeUpstream, type Reply } from '../support/fake-upstream/index.ts'
import { createRandom, type Random } from '../support/random.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const KILLS = 10
const LANES = 12
const RATES = { air: [260, 3_100], prime: [1_800, 6_200], nova: [3_200, 9_500] } as const
type Brand = keyof typeof RATES

/** A reply that ended at its client: the service has said that it is paid. */
interface Ended {
  readonly requestId: string
  readonly brand: Brand
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

interface Load {
  readonly service: ChildService
  readonly key: string
  readonly random: Random
  readonly ended: Ended[]
  /** Called at every sign of life; kills the service at one of them. */
  readonly onProgress: () => void
}

test('a kill at any moment loses no charge of a reply that ended, and charges none twice', async (t) => {
  const random = createRandom()
  t.diagnostic(`PARLEY_TEST_SEED=${random.seed}`)
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play(() => planReply(random))
  const dataDir = makeTemporaryDirectory(t)
  const start = () => startChildService({ dataDir, upstreamUrl: upstream.url })

  let service = await start()
  t.after(() => service.child.kill())
  const accounts = await Promise.all(
    ['one', 'two', 'three'].map((name) => service.openAccount(name)),
  )
  const ended: Ended[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    await loadUntilKilled(
      service,
      accounts.map(({ key }) => key),
      random,
      ended,
    )
    assert.doesNotMatch(service.child.stderr, /\S/)
    service = await start()
    await checkBooks(service, accounts, ended)
  }
  assert.ok(ended.length >= KILLS, 'too few replies ended for this to prove anything')
  t.diagnostic(`${ended.length} replies ended`)
})

function planReply(random: Random): Reply {
  const words = random.between(1, 12)
  return {
    content: 'word '.repeat(words).trim(),
    usage: { promptTokens: random.between(0, 300), completionTokens: random.between(0, 200) },
    ...(random.between(0, 1) === 0 && { pace: { beforeDeltaMs: 1 } }),
  }
}

/** Runs requests side by side, kills the service at a random sign of life, and waits for all ends. */
async function loadUntilKilled(
  service: ChildService,
  keys: readonly string[],
  random: Random,
  ended: Ended[],
): Promise<void> {
  let left = random.between(1, 160)
  const end: { killed?: Promise<void> } = {}
  const onProgress = (): void => {
    left -= 1
    if (left <= 0) end.killed ??= service.child.kill()
  }
  const runLane = async (lane: number): Promise<void> => {
    const key = keys[lane % keys.length] as string
    const load: Load = { service, key, random, ended, onProgress }
    while (end.killed === undefined) {
      await (random.between(0, 1) === 0 ? askWhole(load) : askStream(load)).catch(
        (error: unknown) => {
          // Only a killed service may break a reply off.
          if (end.killed === undefined) throw error
        },
      )
    }
  }
  await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
  await end.killed
}

async function ask({ service, key }: Load, brand: Brand, stream: boolean): Promise<Response> {
  const response = await fetch(`${service.origin}/v1/chat/${brand}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      messages: [{ role: 'user', content: 'Hello' }],
      stream,
      max_tokens: 500,
    }),
  })
  assert.equal(response.status, 200)
  return response
}

async function askWhole(load: Load): Promise<void> {
  const brand = load.random.pick(['air', 'prime', 'nova'] as const)
  const response = await ask(load, brand, false)
  load.onProgress()
  const { usage } = (await response.json()) as Ended
  load.ended.push({ requestId: requestIdOf(response), brand, usage })
  load.onProgress()
}

async function askStream(load: Load): Promise<void> {
  const brand = load.random.pick(['air', 'prime', 'nova'] as const)
  const response = await ask(load, brand, true)
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    load.onProgress()
    if (!text.endsWith('data: [DONE]\n\n')) continue
    const last = text.split('\n\n').at(-3) as string
    const { usage } = JSON.parse(last.slice('data: '.length)) as Ended
    load.ended.push({ requestId: requestIdOf(response), brand, usage })
  }
}

function requestIdOf(response: Response): string {
  return response.headers.get('x-request-id') as string
}

async function checkBooks(
  service: ChildService,
  accounts: readonly { readonly accountId: string }[],
  ended: readonly Ended[],
): Promise<void> {
  const verify = service.operate<{ discrepancies: string[] }>('GET', '/ledger/verify')
  assert.deepEqual((await verify).discrepancies, [])
  const receipts = new Map<string, Receipt>()
  for (const { accountId } of accounts) {
    const account = service.operate<{ held_eur: string }>('GET', `/accounts/${accountId}`)
    assert.equal((await account).held_eur, '0.00')
    for (const receipt of await listReceipts(service, accountId)) {
      assert.ok(!receipts.has(receipt.request_id), `two receipts for ${receipt.request_id}`)
      receipts.set(receipt.request_id, receipt)
    }
  }
  for (const { requestId, brand, usage } of ended) {
    const receipt = receipts.get(requestId)
    assert.ok(receipt, `${requestId} ended and has no receipt`)
    const [input, output] = RATES[brand]
    const cost = usage.prompt_tokens * input + usage.completion_tokens * output
    assert.equal(parseEuros(receipt.cost_eur), cost)
    assert.equal(receipt.ended, 'completed')
  }
}
