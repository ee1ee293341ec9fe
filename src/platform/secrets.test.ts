import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import { readOrCreateSecret, readSecret } from './secrets.ts'

test('a secret is made at the first call and kept', (t) => {
  const directory = join(makeTemporaryDirectory(t), 'data', 'deep')
  assert.equal(readSecret(directory, 'token'), undefined)
  const secret = readOrCreateSecret(directory, 'token')
  assert.match(secret, /^[\w-]{43}$/)
  assert.equal(readOrCreateSecret(directory, 'token'), secret)
  assert.equal(readSecret(directory, 'token'), secret)
  assert.equal(readFileSync(join(directory, 'token'), 'utf8'), `${secret}\n`)
})

test('only its owner can read a secret, or the directory made for it', (t) => {
  const directory = join(makeTemporaryDirectory(t), 'data')
  readOrCreateSecret(directory, 'token')
  assert.equal(statSync(join(directory, 'token')).mode & 0o777, 0o600)
  assert.equal(statSync(directory).mode & 0o777, 0o700)
})

test('secrets of other names and directories differ', (t) => {
  const [here, there] = [makeTemporaryDirectory(t), makeTemporaryDirectory(t)]
  const secrets = [
    readOrCreateSecret(here, 'one'),
    readOrCreateSecret(here, 'two'),
    readOrCreateSecret(there, 'one'),
  ]
  assert.equal(new Set(secrets).size, 3)
})

test('a secret that an operator has written is taken as it is, without its line end', (t) => {
  const directory = makeTemporaryDirectory(t)
  writeFileSync(join(directory, 'token'), 'operator-chose-this-token\n')
  assert.equal(readOrCreateSecret(directory, 'token'), 'operator-chose-this-token')
})

test('an empty file is never taken for a secret', (t) => {
  const directory = makeTemporaryDirectory(t)
  writeFileSync(join(directory, 'token'), '\n')
  let secret: string | undefined
  try {
    secret = readOrCreateSecret(directory, 'token')
  } catch (error) {
    assert.match((error as Error).message, /token/)
    return
  }
  assert.notEqual(secret, '')
})

test('a secret that cannot be read is an error, not a new secret', (t) => {
  const directory = makeTemporaryDirectory(t)
  writeFileSync(join(directory, 'file'), '')
  assert.throws(() => readOrCreateSecret(join(directory, 'file'), 'token'))
})
