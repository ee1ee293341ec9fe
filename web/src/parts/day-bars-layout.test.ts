import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDay, findTop, layOutBars, type DayStack } from './day-bars-layout.ts'

const stack = (day: string, ...values: readonly number[]): DayStack => ({
  day,
  total: '',
  parts: values.map((value, index) => ({ series: `s${index}`, value, text: String(value) })),
})

test('pieces stand on each other, and reach as high as their sum', () => {
  const [bar] = layOutBars([stack('2026-11-21', 25, 50)], 100, 200)
  assert.deepEqual(bar?.pieces, [
    { series: 's0', y: 150, height: 50 },
    { series: 's1', y: 50, height: 100 },
  ])
})

test('a day without use has its place, and nothing in it', () => {
  const bars = layOutBars([stack('a', 1), stack('b', 0), stack('c')], 1, 100)
  assert.deepEqual(
    bars.map(({ pieces }) => pieces.length),
    [1, 0, 0],
  )
  assert.ok(bars.every(({ x, width }) => x >= 0 && x + width <= 100))
})

test('the least use can be seen', () => {
  const [bar] = layOutBars([stack('a', 0.000_001)], 1_000, 100)
  assert.equal(bar?.pieces[0]?.height, 1)
})

test('the top is round, above all bars, and has a round half', () => {
  assert.equal(findTop([stack('a', 7, 4), stack('b', 3)], false), 12)
  assert.equal(findTop([stack('a', 0.000_5)], false), 0.000_6)
  assert.equal(findTop([stack('a', 1)], false), 1)
  assert.equal(findTop([], false), 1)
})

test('where figures are whole, so are the top and its half', () => {
  for (const most of [0, 1, 2, 3, 5, 7, 9, 11, 13, 99, 101, 12_345]) {
    const top = findTop([stack('a', most)], true)
    assert.ok(Number.isInteger(top / 2) && top >= most, `${most}: ${top}`)
  }
})

test('a point is on the day that it is above', () => {
  assert.equal(findDay(0, 30), 0)
  assert.equal(findDay(0.999, 30), 29)
  assert.equal(findDay(-1, 30), 0)
  assert.equal(findDay(2, 30), 29)
})
