import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { parseEuros } from '#platform/money.ts'
import { listReceipts, type ChildService } from '../support/child-service.ts'
import {
  ask,
  eventually,
  withFleet,
  verifyBooks,
  viewAccount,
  type Answer,
  type Fleet,
} from './fleet.ts'

/** Rates of `air`, in nano-euros a token. */
const [INPUT, OUTPUT] = [260, 3_100]
const LANES = 8
const AWAY_MS = 2_000
/** The gate opens a few seconds after a crash, when every replica has told again what it holds. */
const OPENS_WITHIN_MS = 20_000

for (const how of ['in_order', 'killed'] as const) {
  test(`the database ends (${how}) and starts again under load: nothing is lost`, (t) =>
    withFleet(t, 2, async (fleet) => {
      fleet.upstream.play({
        content: 'one two three',
        usage: { promptTokens: 11, completionTokens: 7 },
        pace: { beforeDeltaMs: 5 },
      })
      const [first] = fleet.replicas
      const accounts = await Promise.all(['anna', 'bert'].map((name) => first.openAccount(name)))
      const keys = accounts.map(({ key }) => key)
      const load = startLoad(fleet, keys)
      try {
        await eventually(
          30_000,
          async () => load.answers.length,
          (count) => count >= 100,
        )
        await restartDatabase(fleet, how, keys)
      } finally {
        await load.stop()
      }
      const kinds = Map.groupBy(load.answers, ({ status }) => status)
      t.diagnostic([...kinds].map(([status, all]) => `${status}: ${all.length}`).join(', '))
      // Nobody was broken off, and somebody noticed that it was away.
      assert.deepEqual(
        [...kinds.keys()].toSorted((a, b) => a - b),
        [200, 503],
      )
      await checkAccounts(first, accounts, load.answers)
    }))
}

/** Ends the database, starts it again, and waits until every replica serves by itself. */
async function restartDatabase(
  fleet: Fleet,
  how: 'in_order' | 'killed',
  keys: readonly string[],
): Promise<void> {
  await fleet.postgres.stop(how)
  await delay(AWAY_MS)
  await fleet.postgres.start()
  for (const replica of fleet.replicas) {
    await eventually(
      OPENS_WITHIN_MS,
      () => ask(replica, keys[0] as string),
      ({ status }) => status === 200,
    )
  }
  await delay(500)
}

function startLoad(fleet: Fleet, keys: readonly string[]) {
  const answers: (Answer & { readonly key: string })[] = []
  const over = new AbortController()
  const runLane = async (lane: number): Promise<void> => {
    const key = keys[lane % keys.length] as string
    while (!over.signal.aborted) {
      const answer = await ask(fleet.next(), key)
      answers.push({ ...answer, key })
      if (answer.status !== 200) await delay(20)
    }
  }
  const lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
  return {
    answers,
    async stop(): Promise<void> {
      over.abort()
      await lanes
    },
  }
}

/** From outside: each reply that ended has one receipt of its exact cost, and nobody else pays. */
async function checkAccounts(
  replica: ChildService,
  accounts: readonly { readonly accountId: string; readonly key: string }[],
  answers: readonly (Answer & { readonly key: string })[],
): Promise<void> {
  for (const { accountId, key } of accounts) {
    const receipts = await listReceipts(replica, accountId)
    const ids = receipts.map((receipt) => receipt.request_id)
    assert.equal(new Set(ids).size, ids.length)
    const ended = answers.filter((answer) => answer.key === key && answer.status === 200)
    assert.ok(ended.length > 20, 'too few replies ended for this to prove anything')
    for (const { requestId, usage } of ended) {
      const receipt = receipts.find((one) => one.request_id === requestId)
      assert.ok(receipt && usage, `${requestId} ended and has no receipt`)
      const cost = usage.prompt_tokens * INPUT + usage.completion_tokens * OUTPUT
      assert.equal(parseEuros(receipt.cost_eur), cost)
    }
    const view = await eventually(
      30_000,
      () => viewAccount(replica, accountId),
      ({ held_eur: held }) => Number(held) === 0,
    )
    const charged = receipts.reduce((sum, one) => sum + (parseEuros(one.cost_eur) as number), 0)
    assert.equal(1_001_000_000_000 - (parseEuros(view.balance_eur) as number), charged)
  }
  await verifyBooks(replica)
}
