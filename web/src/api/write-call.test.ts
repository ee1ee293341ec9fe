import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALL_LANGUAGES, writeCall } from './write-call.ts'

const CALL = { baseUrl: 'https://api.example.com/v1', brand: 'air', prompt: 'Say hello.' }

for (const language of CALL_LANGUAGES) {
  test(`a call in ${language} has the key while it is shown, and reads it elsewhere afterwards`, () => {
    const withKey = writeCall(language, { ...CALL, apiKey: 'svc_live_secret' })
    assert.ok(withKey.includes('svc_live_secret'))
    assert.ok(!withKey.includes('PARLEY_API_KEY'))
    const without = writeCall(language, CALL)
    assert.ok(without.includes('PARLEY_API_KEY'))
    for (const text of [withKey, without]) {
      assert.ok(text.includes('https://api.example.com/v1/chat/air'), text)
      assert.ok(text.includes('Say hello.'), text)
    }
  })
}
