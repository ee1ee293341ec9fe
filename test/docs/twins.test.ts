import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { lexer, walkTokens, type Token } from 'marked'
import { findGuides, readPage } from './find-pages.ts'
import { root } from './make-place.ts'
import { readLinks } from './read-links.ts'

/** In Portuguese, in the order of the English ones. */
const toTwin = (path: string): string => path.replace(/^docs\//, 'docs/pt/')

test('every guide is there in both languages', () => {
  const { english, portuguese } = findGuides()
  assert.deepEqual(portuguese, english.map(toTwin).toSorted())
})

for (const path of findGuides().english.filter((page) => existsSync(join(root, toTwin(page))))) {
  test(`${toTwin(path)} has what ${path} has`, () => {
    const [english, portuguese] = [path, toTwin(path)].map(describe)
    assert.deepEqual(portuguese, english)
  })
}

for (const path of Object.values(findGuides()).flat()) {
  test(`${path} begins with its title and what it is for, and has no HTML`, () => {
    const tokens = lexer(readFileSync(join(root, path), 'utf8')).filter(
      ({ type }) => type !== 'space',
    )
    const [title, purpose] = tokens
    assert.ok(title?.type === 'heading' && title['depth'] === 1, 'the first line is "# Title"')
    assert.equal(purpose?.type, 'paragraph', 'then a paragraph says what it is for')
    const levels = tokens.flatMap((token) => (token.type === 'heading' ? [token['depth']] : []))
    assert.equal(levels.filter((level) => level === 1).length, 1, 'there is one title')
    const html: string[] = []
    void walkTokens(tokens, ({ type, raw }) => {
      // A comment shows nothing.
      if (type === 'html' && !raw.startsWith('<!--')) html.push(raw)
      if (type === 'blockquote' && raw.startsWith('> [!')) html.push(raw)
    })
    assert.deepEqual(html, [])
  })
}

/** All that two pages have in common, whatever their language. */
function describe(path: string): object {
  const markdown = readFileSync(join(root, path), 'utf8')
  const shapes: string[] = []
  void walkTokens(lexer(markdown), (token) => {
    shapes.push(...describeToken(token))
  })
  return {
    blocks: readPage(path).snippets.map(({ info, text }) => `${info}\n${text}`),
    shapes,
    links: readLinks(markdown)
      .map((link) => toEnglish(path, link))
      .toSorted(),
  }
}

function describeToken(token: Token): string[] {
  if (token.type === 'heading') return [`heading ${token['depth']}`]
  if (token.type === 'table') {
    const rows = token['rows'] as readonly unknown[]
    return [`table of ${(token['header'] as readonly unknown[]).length} by ${rows.length}`]
  }
  if (token.type === 'list') return [`list of ${(token['items'] as readonly unknown[]).length}`]
  return []
}

/** Where a link leads, as the English page would say it; anchors are in the language of their page. */
function toEnglish(path: string, link: string): string {
  if (/^(\w+:|\/)/.test(link)) return link
  const [address = ''] = link.split('#', 1)
  const target = address === '' ? path : normalize(join(dirname(path), address))
  return target.replace(/^docs\/pt\//, 'docs/')
}
