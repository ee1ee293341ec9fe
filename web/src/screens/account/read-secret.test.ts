import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSecret } from './read-secret.ts'

test('a secret is written in groups of four, and copied as it is', () => {
  const uri = 'otpauth://totp/Parley:ana%40example.com?secret=ABCDEFGHIJ&issuer=Parley'
  assert.deepEqual(readSecret(uri), { plain: 'ABCDEFGHIJ', grouped: 'ABCD EFGH IJ' })
})
