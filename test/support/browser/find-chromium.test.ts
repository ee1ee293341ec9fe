import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../temporary-directory.ts'
import { findChromium } from './find-chromium.ts'

test('the browser that is told is taken, then the first that the path has', (t) => {
  const [empty, full] = [makeTemporaryDirectory(t), makeTemporaryDirectory(t)]
  const PATH = [empty, full].join(delimiter)
  assert.equal(findChromium({ PATH }), undefined)
  const chrome = join(full, 'google-chrome')
  writeFileSync(chrome, '')
  assert.equal(findChromium({ PATH }), undefined, 'which nobody can run')
  chmodSync(chrome, 0o755)
  assert.equal(findChromium({ PATH }), chrome)
  assert.equal(findChromium({ PATH, CHROMIUM_PATH: '/elsewhere' }), '/elsewhere')
  assert.equal(findChromium({}), undefined)
})
