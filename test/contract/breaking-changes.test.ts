import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContract } from '#api/contract/index.ts'
import { BREAKING } from './breaking/breaking-mutants.ts'
import { COMPATIBLE } from './breaking/compatible-mutants.ts'
import { findBreakingChanges } from './breaking/find-breaking-changes.ts'
import { JUDGED } from './breaking/judged.ts'
import { keepPromises } from './breaking/keep-promises.ts'
import { mutate } from './breaking/mutate.ts'
import type { OpenapiDocument } from './breaking/openapi-document.ts'
import { readReleased } from './breaking/released.ts'

const text = JSON.stringify(createContract('svc').openapi('http://127.0.0.1:8080'))
const current = JSON.parse(text) as OpenapiDocument

test('nothing that the last release promised is broken', () => {
  const found = findBreakingChanges(readReleased(), current)
  const judged = JUDGED.map(({ line }) => line)
  assert.deepEqual(
    found.filter((line) => !judged.includes(line)),
    [],
    'a breaking change needs a new major version, at another address (docs/versioning.md)',
  )
  assert.deepEqual(
    judged.filter((line) => !found.includes(line)),
    [],
    'judged, and not there',
  )
})

test('only what a pattern takes is left to judgement, with a reason', () => {
  for (const { line, reason } of JUDGED) {
    assert.match(line, /: pattern was .+, is .+$/)
    assert.match(reason, /\S+ \S+ \S+/)
  }
})

test('a document breaks nothing that it promises itself', () => {
  assert.deepEqual(findBreakingChanges(current, current), [])
  assert.deepEqual(findBreakingChanges(keepPromises(current), current), [])
})

for (const mutant of BREAKING) {
  test(`breaking: ${mutant.name}`, () => {
    const found = findBreakingChanges(current, mutate(current, mutant))
    assert.ok(
      found.some((line) => mutant.told.test(line)),
      `${String(mutant.told)} is not told: ${found.join('\n')}`,
    )
  })
}

for (const mutant of COMPATIBLE) {
  test(`compatible: ${mutant.name}`, () => {
    const mutated = mutate(current, mutant)
    assert.notDeepEqual(mutated, current)
    assert.deepEqual(findBreakingChanges(current, mutated), [])
  })
}
