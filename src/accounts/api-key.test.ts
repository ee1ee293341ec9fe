import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { generateKey, hashKey, isWellFormedKey } from './api-key.ts'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const START = 'svc_live_'
const keys = fc.constantFrom(...Array.from({ length: 50 }, () => generateKey('svc').key))

test('a key says whose it is, that it is live, and has 43 letters and digits', () => {
  for (let made = 0; made < 200; made += 1) {
    const { key, prefix, lastFour } = generateKey('svc')
    assert.match(key, /^svc_live_[0-9A-Za-z]{43}$/)
    assert.equal(prefix, key.slice(0, START.length + 4))
    assert.equal(lastFour, key.slice(-4))
    assert.ok(isWellFormedKey('svc', key))
  }
})

test('no key is made twice, and every letter and digit is used', () => {
  const made = Array.from({ length: 2_000 }, () => generateKey('svc').key)
  assert.equal(new Set(made).size, made.length)
  const used = new Set(made.flatMap((key) => key.slice(START.length, START.length + 37).split('')))
  assert.equal(used.size, DIGITS.length)
})

test('the checksum catches every change of one character', () => {
  for (let made = 0; made < 3; made += 1) {
    const { key } = generateKey('svc')
    for (let place = 0; place < key.length; place += 1) {
      for (const digit of DIGITS) {
        if (digit === key[place]) continue
        const changed = key.slice(0, place) + digit + key.slice(place + 1)
        assert.ok(!isWellFormedKey('svc', changed), `${key} with ${digit} at ${place}`)
      }
    }
  }
})

test('the checksum catches every swap of two characters', () => {
  for (let made = 0; made < 20; made += 1) {
    const { key } = generateKey('svc')
    for (let first = 0; first < key.length; first += 1) {
      for (let second = first + 1; second < key.length; second += 1) {
        if (key[first] === key[second]) continue
        const letters = key.split('')
        letters[first] = key[second] as string
        letters[second] = key[first] as string
        assert.ok(!isWellFormedKey('svc', letters.join('')), `${key}: ${first} and ${second}`)
      }
    }
  }
})

test('what is cut, longer, of another service or no key at all is not well formed', () => {
  fc.assert(
    fc.property(keys, fc.string(), fc.nat(51), (key, text, length) => {
      assert.ok(!isWellFormedKey('svc', text))
      assert.ok(!isWellFormedKey('svc', key.slice(0, length)))
      assert.ok(!isWellFormedKey('other', key))
      assert.ok(!isWellFormedKey('sv', key))
      if (text !== '') assert.ok(!isWellFormedKey('svc', key + text))
    }),
    { numRuns: 1_000 },
  )
  const foreign = generateKey('other').key
  assert.ok(!isWellFormedKey('svc', foreign.replace('other', 'svc')))
})

test('a hash is the SHA-256 of the key, and shows nothing of it', () => {
  const { key, hash } = generateKey('svc')
  assert.equal(hash, createHash('sha256').update(key).digest('hex'))
  assert.equal(hash, hashKey(key))
  assert.notEqual(hash, key)
  assert.ok(!hash.includes(key.slice(START.length, START.length + 8)))
})
