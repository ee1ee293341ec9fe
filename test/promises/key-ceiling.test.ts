import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEuros } from '#platform/money.ts'
import { startChildService, type ChildService } from '../support/child-service.ts'
import { startFakeUpstream } from '../support/fake-upstream/index.ts'
import { createRandom } from '../support/random.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const KILLS = 4
const LANES = 12
const CEILING_EUR = '0.05'
/** Of nova: 500 tokens of output at 9 500 nano-euros each, and an input that is estimated at less than 300. */
const WORST_NANO = 500 * 9_500 + 300 * 3_200

interface Key {
  readonly id: string
  readonly key: string
  readonly spent_today_eur: string
}

test('a key with a ceiling never spends more than it in a day, however often the service is killed', async (t) => {
  const random = createRandom()
  t.diagnostic(`PARLEY_TEST_SEED=${random.seed}`)
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play(() => ({
    content: 'word',
    usage: { promptTokens: random.between(0, 20), completionTokens: random.between(0, 500) },
    ...(random.between(0, 1) === 0 && { pace: { beforeDeltaMs: 1 } }),
  }))
  const dataDir = makeTemporaryDirectory(t)
  const start = () => startChildService({ dataDir, upstreamUrl: upstream.url })

  let service = await start()
  t.after(() => service.child.kill())
  const { accountId } = await service.openAccount('one')
  const path = `/accounts/${accountId}/keys`
  const body = { name: 'limited', daily_ceiling_eur: CEILING_EUR }
  const { key } = await service.operate<Key>('POST', path, body)
  const spentToday = async (): Promise<number> => {
    const { data } = await service.operate<{ data: Key[] }>('GET', path)
    return parseEuros(data[0]?.spent_today_eur ?? '') ?? NaN
  }
  const ceiling = parseEuros(CEILING_EUR) ?? NaN
  for (let kill = 0; kill < KILLS; kill += 1) {
    await callUntil(service, key, random.between(1, 12), () => service.child.kill())
    service = await start()
    const spent = await spentToday()
    assert.ok(spent <= ceiling, `${spent} nano-euros spent`)
  }
  await callUntil(service, key, Infinity)
  const spent = await spentToday()
  t.diagnostic(`${spent} nano-euros spent`)
  assert.ok(spent <= ceiling, `${spent} nano-euros spent`)
  assert.ok(spent > ceiling - WORST_NANO, `only ${spent} nano-euros spent`)
  const { discrepancies } = await service.operate<{ discrepancies: string[] }>(
    'GET',
    '/ledger/verify',
  )
  assert.deepEqual(discrepancies, [])
})

/** Calls side by side until so many replies have come, or each lane is refused with nothing under way. */
async function callUntil(
  service: ChildService,
  key: string,
  replies: number,
  kill?: () => Promise<void>,
): Promise<void> {
  const end: { killed: Promise<void> | undefined } = { killed: undefined }
  let left = replies
  const runLane = async (): Promise<void> => {
    while (end.killed === undefined) {
      const status = await ask(service, key).catch((error: unknown) => {
        // Only a killed service may break a reply off.
        if (end.killed === undefined) throw error
      })
      if (status === 429) return
      left -= 1
      if (left <= 0) end.killed ??= kill?.()
    }
  }
  await Promise.all(Array.from({ length: LANES }, runLane))
  // Where lanes were refused for what others held, what is left is spent one by one.
  if (end.killed === undefined) while ((await ask(service, key)) === 200);
  end.killed ??= kill?.()
  await end.killed
}

async function ask(service: ChildService, key: string): Promise<number> {
  const response = await fetch(`${service.origin}/v1/chat/nova`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 500 }),
  })
  const { error } = (await response.json()) as { error?: { code: string } }
  if (response.status !== 200) assert.equal(error?.code, 'daily_spend_limit_reached')
  return response.status
}
