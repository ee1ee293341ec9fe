import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawBars, type Bar } from '../../bench/draw-bars.ts'

function bar(name: string, value: number, isOurs = false): Bar {
  return { name, value, text: Number.isNaN(value) ? '–' : String(value), isOurs }
}

/** The widths of a picture's bars, by whose they are. */
function readWidths(svg: string): Map<string, number> {
  const bars = svg.matchAll(/text-anchor="end">([^<]*)<\/text><rect [^>]* width="([\d.]+)"/g)
  return new Map(Array.from(bars, ([, name = '', width]) => [name, Number(width)]))
}

test('bars of a panel are as long as their figures, whatever another panel has', () => {
  const widths = readWidths(
    drawBars([
      { title: 'large', bars: [bar('a', 20_000), bar('b', 5_000)] },
      { title: 'small', bars: [bar('c', 40), bar('d', 20)] },
    ]),
  )
  assert.ok((widths.get('a') ?? 0) > 100)
  assert.ok(Math.abs((widths.get('b') ?? 0) - (widths.get('a') ?? 0) / 4) < 0.1)
  assert.equal(widths.get('c'), widths.get('a'))
  assert.ok(Math.abs((widths.get('d') ?? 0) - (widths.get('c') ?? 0) / 2) < 0.1)
})

test('who has no figure has no bar, and names are no markup', () => {
  const svg = drawBars([{ title: 'a < b & c', bars: [bar('none', NaN), bar('ours', 3, true)] }])
  assert.equal(readWidths(svg).get('none'), 0)
  assert.ok(svg.includes('a &lt; b &amp; c'))
  assert.ok(!svg.includes('NaN'))
  assert.equal(svg.match(/class="bar ours"/g)?.length, 1)
})
