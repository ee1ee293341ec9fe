import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { findPrometheus, NO_PROMETHEUS } from './find-prometheus.ts'

test('a Prometheus is the one of the path; without one CI fails, unless it says that none can be had', (t) => {
  const PATH = makeTemporaryDirectory(t)
  const [server, promtool] = ['prometheus', 'promtool'].map((name) => join(PATH, name)) as [
    string,
    string,
  ]
  writeFileSync(server, '')
  chmodSync(server, 0o755)
  assert.equal(findPrometheus({ PATH }), undefined, 'the half of it')
  assert.throws(() => findPrometheus({ PATH, CI: 'true' }), { message: NO_PROMETHEUS })
  assert.equal(findPrometheus({ PATH, CI: 'true', PARLEY_PROMETHEUS: 'none' }), undefined)
  writeFileSync(promtool, '')
  chmodSync(promtool, 0o755)
  assert.deepEqual(findPrometheus({ PATH, CI: 'true' }), { server, promtool })
})
