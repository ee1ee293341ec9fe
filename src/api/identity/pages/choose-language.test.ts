import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseLanguage } from './choose-language.ts'

test('the link just followed is stronger than the choice before, that than the app, that than the browser', () => {
  const accepted = 'en'
  assert.equal(chooseLanguage({ accepted: 'pt-PT,pt;q=0.9,en;q=0.8' }), 'pt')
  assert.equal(chooseLanguage({ accepted, locales: ['fr', 'pt-BR'] }), 'pt')
  assert.equal(chooseLanguage({ accepted, locales: ['pt'], chosen: 'en' }), 'en')
  assert.equal(chooseLanguage({ accepted, locales: ['pt'], chosen: 'en', asked: 'pt' }), 'pt')
})

test('weights are heeded, and what is not spoken is passed over', () => {
  assert.equal(chooseLanguage({ accepted: 'de, en;q=0.3, pt;q=0.7' }), 'pt')
  assert.equal(chooseLanguage({ accepted: 'pt;q=0, *' }), 'en')
  assert.equal(chooseLanguage({ accepted: 'pt;q=nonsense' }), 'en')
})

test('nothing known, or nothing said, is English', () => {
  assert.equal(chooseLanguage({}), 'en')
  assert.equal(
    chooseLanguage({ asked: '../x', chosen: '', locales: ['', 'tlh'], accepted: ',;' }),
    'en',
  )
  assert.equal(chooseLanguage({ accepted: 'pt,'.repeat(100_000) }), 'pt')
})
