import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CHAPTERS } from '../../site/contents.ts'
import { listPages, toAddress, toMarkdownAddress } from '../../site/list-pages.ts'
import { LANGUAGES, LOCALES } from '../../site/words.ts'
import { APP_OPTIONS } from '../support/app-options.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after })
/** As it is told that callers reach it; tests reach it elsewhere. */
const publicOrigin = new URL(APP_OPTIONS.baseUrl).origin

const sources = listPages()
/** What a page leads to and is not of the documentation. */
const ELSEWHERE = ['/console', '/v1/openapi.json']

async function read(address: string): Promise<{ status: number; text: string; headers: Headers }> {
  const reply = await fetch(service.origin + address)
  return { status: reply.status, text: await reply.text(), headers: reply.headers }
}

test('every page of the contents is there, in both languages', async () => {
  for (const language of LANGUAGES) {
    for (const name of CHAPTERS.flatMap(({ pages }) => pages)) {
      const { status, text, headers } = await read(toAddress(name, language))
      assert.equal(status, 200, `${language}: ${name}`)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.ok(text.includes(`<html lang="${LOCALES[language]}">`), name)
      assert.match(text, /<article><h1>[^<]/, name)
      assert.match(text, /<meta name="description" content="[^"]{20,}"/, name)
    }
  }
})

test('a page is the same text as Markdown, and says nothing of what stands for the address', async () => {
  for (const source of sources) {
    const markdown = await read(toMarkdownAddress(source))
    assert.equal(markdown.status, 200, source.path)
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(markdown.text, /^# /, source.path)
    const page = await read(source.address)
    assert.doesNotMatch(markdown.text + page.text, /\{\{origin\}\}/, source.path)
  }
})

test("pages for callers have the service's own address, those for operators their machine's", async () => {
  const quickstart = await read('/docs/quickstart')
  assert.ok(quickstart.text.includes(`${publicOrigin}/v1`))
  assert.doesNotMatch(quickstart.text, /http:\/\/127\.0\.0\.1:8080/)
  const configuration = await read('/docs/operate/configuration')
  assert.doesNotMatch(configuration.text.replace(/<link[^>]*>/g, ''), new RegExp(publicOrigin))
})

test('every link of every page leads somewhere, its place on the page included', async () => {
  const addresses = [
    ...sources.map(({ address }) => address),
    ...LANGUAGES.map((one) => toAddress('search', one)),
    '/docs/api',
  ]
  const pages = new Map<string, string>()
  for (const address of addresses) pages.set(address, (await read(address)).text)
  const seen = new Map<string, number>()
  const astray: string[] = []
  for (const [from, text] of pages) {
    for (const link of listLinks(text, service.origin + from)) {
      const isOurs = [service.origin, publicOrigin].includes(link.origin)
      if (!isOurs || ELSEWHERE.includes(link.pathname)) continue
      const status = seen.get(link.pathname) ?? (await read(link.pathname)).status
      seen.set(link.pathname, status)
      const id = decodeURIComponent(link.hash.slice(1))
      const target = pages.get(link.pathname) ?? ''
      const isThere = id === '' || target.includes(`id="${id}"`)
      if (status !== 200 || !isThere) astray.push(`${from} → ${link.pathname}${link.hash}`)
    }
  }
  assert.ok(seen.size > 50)
  assert.deepEqual(astray, [])
})

/** Whatever a page links to, loads, or shows. */
function listLinks(text: string, base: string): URL[] {
  return [...text.matchAll(/\b(?:href|src|action|data-index)="([^"]*)"/g)].map(
    ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), base),
  )
}

test('llms.txt lists every page of the contents in English, with what it is for', async () => {
  const { status, text, headers } = await read('/llms.txt')
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  const listed = [...text.matchAll(/^- \[(.+)\]\((\S+)\): (.+)$/gm)]
  const names = CHAPTERS.flatMap(({ pages }) => pages)
  for (const [, title = '', address = '', summary = ''] of listed) {
    assert.ok(title.length > 2 && summary.length > 10, title)
    assert.ok(address.startsWith(`${publicOrigin}/`), address)
    const { status: found } = await read(address.slice(publicOrigin.length))
    assert.equal(found, 200, address)
  }
  assert.equal(listed.length, names.length + 1)
  const full = await read('/llms-full.txt')
  assert.ok(full.text.split('\n---\n').length >= names.length)
})

test('a page that has not changed is not sent again, and what it loads is kept for ever', async () => {
  const first = await read('/docs/versioning')
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[\w-]{22}"$/)
  const again = await fetch(`${service.origin}/docs/versioning`, {
    headers: { 'if-none-match': etag },
  })
  assert.equal(again.status, 304)
  assert.equal(await again.text(), '')
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(first.text) ?? []
  const loaded = await fetch(service.origin + script, { headers: { 'accept-encoding': 'br' } })
  assert.equal(loaded.headers.get('content-encoding'), 'br')
  assert.match(loaded.headers.get('cache-control') ?? '', /immutable/)
  await loaded.body?.cancel()
})

test('the reference may style itself, and run nothing that is not ours', async () => {
  const { status, headers, text } = await read('/docs/api')
  assert.equal(status, 200)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /script-src 'self';/)
  assert.match(policy, /style-src 'self' 'unsafe-inline';/)
  assert.match(policy, /connect-src 'self';/)
  assert.doesNotMatch(text, /<script(?![^>]*src="\/docs\/assets\/)/)
  const other = await read('/docs/versioning')
  assert.doesNotMatch(other.headers.get('content-security-policy') ?? '', /unsafe/)
  // Without script it lists every operation.
  assert.ok((text.match(/<li><code>/g) ?? []).length > 60)
})

test('who mistypes an address of the documentation reads a page', async () => {
  const slash = await fetch(`${service.origin}/docs/quickstart/`, { redirect: 'manual' })
  assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/docs/quickstart'])
  const { status, headers } = await read('/docs/no-such-page')
  assert.equal(status, 404)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  const markdown = await read('/docs/no-such-page.md')
  assert.equal(markdown.status, 404)
  assert.match(markdown.headers.get('content-type') ?? '', /^application\/json/)
})
