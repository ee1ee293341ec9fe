import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderApps, renderSessions, writeDay } from './account-sections.ts'
import { toText } from '#platform/html.ts'
import { WORDS } from './languages.ts'

const english = { words: WORDS.en, language: 'en' } as const
const portuguese = { words: WORDS.pt, language: 'pt' } as const
const createdAtMs = Date.UTC(2026, 2, 1)
const times = {
  createdAtMs,
  usedAtMs: createdAtMs,
  expiresAtMs: createdAtMs,
  address: null,
}

test('the sessions are this browser and the others, which can be ended', () => {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const sessions = [
    { id: 'there', ...times, userAgent },
    { id: 'here', ...times, userAgent },
  ]
  const text = toText(renderSessions(sessions, 'here', english))
  assert.ok(text.indexOf('This browser') < text.indexOf('Firefox on Linux'))
  assert.match(text, /since 1 Mar 2026/)
  assert.match(text, /name="id" value="there"/)
  assert.doesNotMatch(text, /value="here"/)
  assert.match(text, /Sign out everywhere else/)
})

test('who is signed in nowhere else has nothing to end', () => {
  const sessions = [{ id: 'here', ...times, userAgent: null }]
  assert.doesNotMatch(toText(renderSessions(sessions, 'here', english)), /<form/)
})

test('each connected app can be disconnected, whatever it calls itself', () => {
  const used = { consentedAtMs: createdAtMs, usedAtMs: createdAtMs }
  const app = { clientId: 'app_"1', name: '<b>App</b>', scopes: ['openid'], ...used }
  const text = toText(renderApps([app], english))
  assert.match(text, /value="app_&quot;1"/)
  assert.match(text, /aria-label="Disconnect &lt;b&gt;App&lt;\/b&gt;"/)
  assert.doesNotMatch(text, /<b>/)
})

test('who has connected no app is told so', () => {
  assert.match(toText(renderApps([], portuguese)), /Nenhuma aplicação/)
})

test('days are written as in Great Britain and in Portugal', () => {
  assert.equal(writeDay(createdAtMs, english), '1 Mar 2026')
  assert.equal(writeDay(createdAtMs, portuguese), '01/03/2026')
})
