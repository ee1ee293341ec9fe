import { html, type SafeHtml } from '#platform/html.ts'
import { toAddress, type PageSource } from './list-pages.ts'
import type { Article } from './render-markdown.ts'
import { ORIGIN, renderDocument, renderSearchField, type Site } from './render-page.ts'
import { LANGUAGES, WORDS, type Language } from './words.ts'

export interface Written {
  readonly source: PageSource
  readonly article: Article
}

/** What the search knows: one for each heading, as the browser loads it. */
export interface SearchEntry {
  readonly id: number
  readonly page: string
  /** Empty for what stands under the page's title. */
  readonly heading: string
  readonly url: string
  readonly text: string
}

export function listSearchEntries(written: readonly Written[]): SearchEntry[] {
  const sections = written.flatMap(({ source, article }) =>
    article.sections.map(({ heading, text }) => {
      const isTitle = heading.depth === 1
      return {
        page: article.title,
        heading: isTitle ? '' : heading.text,
        url: isTitle ? source.address : `${source.address}#${heading.id}`,
        // The list is the same file wherever it is served.
        text: text.replaceAll(ORIGIN, ''),
      }
    }),
  )
  return sections.map((section, id) => ({ id, ...section }))
}

/** Where the form of the search leads: the script fills it; without one it lists all there is. */
export function renderSearchPage(
  language: Language,
  written: readonly Written[],
  site: Site,
): string {
  const words = WORDS[language]
  const main = html`<main id="content" tabindex="-1" class="search-page">
    <h1>${words.searchTitle}</h1>
    ${renderSearchField(language, site)}
    <div data-everything>
      <p>${words.searchLead}</p>
      ${written.map(renderHeadings)}
    </div>
  </main>`
  return renderDocument({
    language,
    address: toAddress('search', language),
    twins: Object.fromEntries(LANGUAGES.map((one) => [one, toAddress('search', one)])),
    title: words.searchTitle,
    description: words.searchLead,
    main,
    site,
    isSearch: true,
  })
}

function renderHeadings({ source, article }: Written): SafeHtml {
  const headings = article.sections.filter(({ heading }) => heading.depth > 1)
  return html`<h2><a href="${source.address}">${article.title}</a></h2>
    <ul>
      ${headings.map(
        ({ heading }) =>
          html`<li><a href="${source.address}#${heading.id}">${heading.text}</a></li>`,
      )}
    </ul>`
}
