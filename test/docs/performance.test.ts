import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sayInPortuguese } from '../../bench/say-in-portuguese.ts'
import { readFigures, SECTIONS } from '../../bench/write-performance-page.ts'

/** The figures of a page, whatever way its tables were laid out. */
function squeeze(path: string, section: string, say = (figures: string) => figures): string {
  const page = readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
  return say(readFigures(page, section)).replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ')
}

for (const { name } of SECTIONS) {
  test(`the page of performance has the same figures of ${name} in both languages`, () => {
    assert.equal(
      squeeze('pt/operate/performance.md', name),
      squeeze('operate/performance.md', name, sayInPortuguese),
    )
  })
}

test('figures are written as the language does, versions are left alone', () => {
  const said = sayInPortuguese(
    '| at once | 1.5 |\n\nNode v24.21.0; one fsync takes 0.26 ms, p99.9.',
  )
  assert.equal(said, '| ao mesmo tempo | 1,5 |\n\nNode v24.21.0; um fsync demora 0,26 ms, p99.9.')
})
