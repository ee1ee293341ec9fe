import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOrCreateSecret } from '#platform/secrets.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

test('in a directory that others may enter, the files are still for the service alone', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  chmodSync(dataDir, 0o755)
  const mask = process.umask(0)
  t.after(() => void process.umask(mask))
  readOrCreateSecret(dataDir, 'operator-token')
  const service = await serveFor(t, { dataDir })
  await openAccount(service)
  const names = readdirSync(dataDir)
  assert.ok(['parley.db', 'parley.db-wal', 'operator-token'].every((name) => names.includes(name)))
  const open = names.filter((name) => (statSync(join(dataDir, name)).mode & 0o077) !== 0)
  assert.deepEqual(open, [])
})
