import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listReceipts, type ChildService } from '../support/child-service.ts'
import { ask, eventually, withFleet, verifyBooks, viewAccount, type Fleet } from './fleet.ts'

/** A dead replica's holds must be back within this time. */
const HOLDS_BACK_MS = 30_000

/** Requests that stay at the upstream until they are let go. */
async function hangRequests(
  fleet: Fleet,
  key: string,
  counts: readonly (readonly [ChildService, number])[],
) {
  const release = Promise.withResolvers<void>()
  fleet.upstream.play({
    content: 'ok',
    usage: { promptTokens: 10, completionTokens: 20 },
    pauses: [{ at: 'before-head', until: release.promise }],
  })
  const before = fleet.upstream.requests.length
  const asked = counts.map(([replica, count]) =>
    Array.from({ length: count }, () => ask(replica, key)),
  )
  const wanted = counts.reduce((sum, [, count]) => sum + count, before)
  await eventually(
    10_000,
    async () => fleet.upstream.requests.length,
    (count) => count === wanted,
  )
  return { asked: asked.map((answers) => Promise.all(answers)), release: () => release.resolve() }
}

async function heldBy(replica: ChildService, accountId: string): Promise<number> {
  return Number((await viewAccount(replica, accountId)).held_eur)
}

test('what a killed replica held comes back, and what it had under way is not charged', (t) =>
  withFleet(t, 2, async (fleet) => {
    const [first, second] = fleet.replicas as [ChildService, ChildService]
    const { accountId, key } = await first.openAccount('anna')
    const { asked, release } = await hangRequests(fleet, key, [
      [first, 5],
      [second, 3],
    ])
    const held = await heldBy(second, accountId)
    await first.child.kill()
    assert.deepEqual(
      (await asked[0])?.map(({ status }) => status),
      [0, 0, 0, 0, 0],
    )
    assert.equal(await heldBy(second, accountId), held, 'holds end with the lease, not before')
    const left = await eventually(
      HOLDS_BACK_MS,
      () => heldBy(second, accountId),
      (now) => now < held,
    )
    assert.ok(Math.abs(left - (held * 3) / 8) < 1e-9, `${left} of ${held} is still held`)
    release()
    assert.deepEqual(
      (await asked[1])?.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal(await heldBy(second, accountId), 0)
    assert.equal((await listReceipts(second, accountId)).length, 3)
    await verifyBooks(second)
  }))

test('a replica that was frozen past its lease goes on, and nothing is counted twice', (t) =>
  withFleet(t, 2, async (fleet) => {
    const [first, second] = fleet.replicas as [ChildService, ChildService]
    const { accountId, key } = await first.openAccount('anna')
    const { asked, release } = await hangRequests(fleet, key, [[first, 4]])
    const held = await heldBy(second, accountId)
    assert.ok(held > 0)
    first.child.process.kill('SIGSTOP')
    await eventually(
      HOLDS_BACK_MS,
      () => heldBy(second, accountId),
      (now) => now === 0,
    )
    first.child.process.kill('SIGCONT')
    // It tells again what it holds.
    await eventually(
      10_000,
      () => heldBy(second, accountId),
      (now) => now === held,
    )
    release()
    assert.deepEqual(
      (await asked[0])?.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(await heldBy(second, accountId), 0)
    assert.equal((await listReceipts(second, accountId)).length, 4)
    await verifyBooks(second)
  }))
