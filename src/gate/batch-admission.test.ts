import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreGone, type PostgresStore } from '#platform/store/index.ts'
import { createBatchAdmission } from './batch-admission.ts'
import type { Lease } from './lease.ts'

const lease: Lease = {
  replicaId: 'rep',
  restore: async () => {},
  told: async () => {},
  close: async () => {},
}

function withCode(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** What is to be ended later of two requests whose batch met this error. */
async function endedAfter(error: Error): Promise<string[]> {
  const unknown: string[] = []
  const store: Pick<PostgresStore, 'call'> = { call: () => Promise.reject(error) }
  const admissions = createBatchAdmission({
    store,
    lease,
    nowMs: () => null,
    onUnknownOutcome: (requestIds) => unknown.push(...requestIds),
  })
  const asked = ['a', 'b'].map((requestId) =>
    admissions.add({ keyHash: 'hash', requestId, wanted: null }),
  )
  const outcomes = await Promise.allSettled(asked)
  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  return unknown
}

for (const broken of [
  new Error('Connection terminated unexpectedly'),
  new Error('Query read timeout'),
  withCode('ECONNRESET'),
  withCode('57P01'),
]) {
  test(`of a connection that broke (${broken.message}) it is not known what was placed`, async () => {
    assert.deepEqual(await endedAfter(broken), ['a', 'b'])
  })
}

for (const refused of [new StoreGone('away'), withCode('PL002'), withCode('P0001')]) {
  test(`what the database refused (${refused.message}) or was never asked is not remembered`, async () => {
    assert.deepEqual(await endedAfter(refused), [])
  })
}
