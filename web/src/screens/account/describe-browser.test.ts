import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeBrowser } from './describe-browser.ts'
import { accountWords } from './words.ts'

test('a browser is told as far as it is known', () => {
  const { en, pt } = accountWords
  const firefox = { browser: 'Firefox', system: 'Windows' }
  assert.equal(describeBrowser(firefox, en), 'Firefox on Windows')
  assert.equal(describeBrowser(firefox, pt), 'Firefox em Windows')
  assert.equal(describeBrowser({ browser: 'Firefox', system: null }, en), 'Firefox')
  assert.equal(describeBrowser({ browser: null, system: 'iPad' }, en), 'iPad')
  assert.equal(describeBrowser({ browser: null, system: null }, pt), 'Outro navegador')
})
