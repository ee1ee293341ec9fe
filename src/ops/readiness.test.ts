import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStore } from '#platform/store/index.ts'
import { makeTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import { readReadiness } from './readiness.ts'

const models = { health: () => [] }
const isDraining = (): boolean => false

test('a store that does not answer is away, and the service is not ready', async (t) => {
  const store = await openStore({ dataDir: makeTemporaryDirectory(t), databaseUrl: undefined })
  const before = await readReadiness({ models, store, isDraining })
  assert.equal(before.store, 'ok')
  await store.close()
  const after = await readReadiness({ models, store, isDraining })
  assert.equal(after.store, 'away')
  assert.equal(after.ready, false)
})
