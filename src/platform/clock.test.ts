import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { systemClock, untilMidnightMs, utcDay } from './clock.ts'

const DAY_MS = 86_400_000
/** From 1970 to the end of 9999, in which a day's text has ten characters. */
const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) })

test('a day is the UTC day, whatever the local time is', () => {
  const midnight = Date.UTC(2026, 10, 22)
  assert.equal(utcDay(midnight - 1), '2026-11-21')
  assert.equal(utcDay(midnight), '2026-11-22')
  assert.equal(utcDay(0), '1970-01-01')
  assert.equal(utcDay(Date.UTC(2028, 1, 29, 23, 59)), '2028-02-29')
})

test('midnight is more than nothing and at most a day away, and a new day begins there', () => {
  fc.assert(
    fc.property(instants, (atMs) => {
      const leftMs = untilMidnightMs(atMs)
      assert.ok(leftMs > 0 && leftMs <= DAY_MS)
      assert.equal((atMs + leftMs) % DAY_MS, 0)
      assert.equal(utcDay(atMs + leftMs - 1), utcDay(atMs))
      if (utcDay(atMs) < '9999-12-31') assert.ok(utcDay(atMs + leftMs) > utcDay(atMs))
    }),
    { numRuns: 2_000, examples: [[0], [DAY_MS - 1], [DAY_MS]] },
  )
})

test('days sort as text in the order of time', () => {
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      const [earlier, later] = a < b ? [a, b] : [b, a]
      assert.ok(utcDay(earlier) <= utcDay(later))
    }),
    { numRuns: 2_000 },
  )
})

test("the system's clock is the wall clock", () => {
  const before = Date.now()
  const nowMs = systemClock.nowMs()
  assert.ok(before <= nowMs && nowMs <= Date.now())
})
