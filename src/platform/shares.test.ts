import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares } from './shares.ts'

test('one owner gets its share and no more, and leaves the others theirs', () => {
  const shares = createShares({ total: 10, each: 4 })
  assert.equal(shares.take('a', 3), 'taken')
  assert.equal(shares.take('a', 2), 'owner_has_its_share')
  assert.equal(shares.take('a', 1), 'taken')
  assert.equal(shares.take('b', 4), 'taken')
  assert.equal(shares.take('c', 3), 'all_is_taken')
  assert.equal(shares.take('c', 2), 'taken')
})

test('what is given back is to be had again, by its owner and by others', () => {
  const shares = createShares({ total: 2, each: 2 })
  shares.take('a', 2)
  assert.equal(shares.take('b', 1), 'all_is_taken')
  shares.give('a', 1)
  assert.equal(shares.take('b', 1), 'taken')
  shares.give('a', 1)
  assert.equal(shares.take('b', 1), 'taken')
  assert.equal(shares.take('a', 1), 'all_is_taken')
})

test('nothing is given back that was not taken', () => {
  const shares = createShares({ total: 2, each: 2 })
  shares.take('a', 1)
  assert.throws(() => shares.give('a', 2))
  assert.throws(() => shares.give('b', 1))
})
