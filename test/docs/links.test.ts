import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './make-place.ts'
import { findFault, readAnchors, readLinks } from './read-links.ts'

const files = globSync('{*,docs/**/*,{src,web,client,test}/**/README}.md', {
  cwd: root,
  exclude: ['**/node_modules/**', 'node_modules'],
}).toSorted()

test('every link of a document leads somewhere: the file is there, and has the heading', () => {
  const faults = files.flatMap((path) =>
    readLinks(readFileSync(join(root, path), 'utf8')).flatMap((link) => {
      const fault = findFault(path, link)
      return fault === undefined ? [] : [`${path}: ${link} ${fault}`]
    }),
  )
  assert.ok(files.includes('docs/operate/configuration.md') && files.includes('src/gate/README.md'))
  assert.deepEqual(faults, [])
})

test('anchors are those of GitHub: marks left out, the second of a name counted', () => {
  const page = '# A `max_tokens` & *more*\n\n## É assim\n\n## Limits\n\n## Limits\n'
  assert.deepEqual([...readAnchors(page)], ['a-max_tokens--more', 'é-assim', 'limits', 'limits-1'])
})

for (const [link, fault] of [
  ['configuration.md', undefined],
  ['#limits', /has no such heading/],
  ['configuration.md#no-such', /has no such heading/],
  ['nothing.md', /is no file/],
  ['../../../elsewhere.md', /is no file/],
  ['/docs/api#chat', undefined],
  ['/docs/nothing', /is no page/],
  ['https://example.com/x', undefined],
  ['http://example.com/x', /neither https/],
  ['https://', /is no address/],
] as const) {
  test(`a link to ${link} is ${fault ? 'told' : 'taken'}`, () => {
    const told = findFault('docs/operate/replicas.md', link)
    if (fault) assert.match(String(told), fault)
    else assert.equal(told, undefined)
  })
}
