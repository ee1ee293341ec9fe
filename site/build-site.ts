import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildAssets, DIST } from './build-assets.ts'
import { listPages, ROOT, toAddress, toMarkdownAddress, type PageSource } from './list-pages.ts'
import { packClient } from './pack-client.ts'
import { renderMarkdown } from './render-markdown.ts'
import { ORIGIN, renderPage, type Site } from './render-page.ts'
import { renderReference } from './render-reference.ts'
import { listSearchEntries, renderSearchPage, type Written } from './render-search-page.ts'
import { resolveLink } from './resolve-link.ts'
import { LANGUAGES } from './words.ts'
import { writeLlms, writeLlmsFull } from './write-llms.ts'

/** How addresses of the service are written in docs/. */
const EXAMPLE_ORIGIN = 'http://127.0.0.1:8080'

/** Builds the documentation: dist/pages has a file for each address, dist/assets what they load. */
export async function buildSite(): Promise<void> {
  const written = writeArticles()
  const inLanguage = { en: [], pt: [], ...Object.groupBy(written, ({ source }) => source.language) }
  const assets = await buildAssets({
    en: listSearchEntries(inLanguage.en),
    pt: listSearchEntries(inLanguage.pt),
  })
  const titles = new Map(written.map(({ source, article }) => [source.address, article.title]))
  const site: Site = { assets, titles }
  for (const { source, article } of written) {
    save(`${source.address}.html`, renderPage(source, article, site))
    save(toMarkdownAddress(source), readMarkdown(source))
  }
  for (const language of LANGUAGES) {
    const page = renderSearchPage(language, inLanguage[language], site)
    save(`${toAddress('search', language)}.html`, page)
  }
  save('/docs/api.html', renderReference(assets))
  save('/llms.txt', writeLlms(written))
  save('/llms-full.txt', writeLlmsFull(inLanguage.en.map(({ source }) => readMarkdown(source))))
  cpSync(`${ROOT}docs/images`, `${DIST}/images`, { recursive: true })
  packClient(`${ROOT}client`, `${DIST}/files`)
}

function writeArticles(): Written[] {
  const sources = listPages()
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return sources.map((source) => ({
    source,
    article: renderMarkdown(readMarkdown(source), {
      language: source.language,
      resolve: (link) => resolveLink(link, source, byPath),
    }),
  }))
}

function readMarkdown({ path, isForOperators }: PageSource): string {
  const text = readFileSync(ROOT + path, 'utf8')
  return isForOperators ? text : text.replaceAll(EXAMPLE_ORIGIN, ORIGIN)
}

function save(address: string, text: string): void {
  const file = `${DIST}/pages${address}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
