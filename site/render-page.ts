import { html, toText, type SafeHtml } from '#platform/html.ts'
import type { Assets } from './assets.ts'
import { CHAPTERS } from './contents.ts'
import { toAddress, toMarkdownAddress, type PageSource } from './list-pages.ts'
import type { Article, Heading } from './render-markdown.ts'
import { LANGUAGE_NAMES, LANGUAGES, LOCALES, WORDS, type Language } from './words.ts'

export interface Site {
  readonly assets: Assets
  /** Titles of all pages, by address. */
  readonly titles: ReadonlyMap<string, string>
}

/** The service's own address, put in when the page is served. */
export const ORIGIN = '{{origin}}'

/** Where the article goes: it is markup already, made by the renderer of Markdown. */
const ARTICLE = '\u0000article\u0000'

/** A page as a whole document: it is read without any script. */
export function renderPage(source: PageSource, article: Article, site: Site): string {
  const { language, address, twins } = source
  const words = WORDS[language]
  const headings = article.sections
    .map(({ heading }) => heading)
    .filter(({ depth }) => depth === 2 || depth === 3)
  const main = html`<main id="content" tabindex="-1">
      <article>${ARTICLE}</article>
      <footer class="after">
        ${renderNeighbours(address, language, site)}
        <p><a href="${toMarkdownAddress(source)}">${words.markdown}</a></p>
      </footer>
    </main>
    ${headings.length > 1 && renderOnThisPage(headings, language)}`
  const document = renderDocument({
    language,
    address,
    twins,
    title: article.title,
    description: article.summary,
    main,
    site,
  })
  return document.replace(ARTICLE, () => article.html)
}

export interface DocumentView {
  readonly language: Language
  readonly address: string
  readonly twins: PageSource['twins']
  readonly title: string
  readonly description: string
  readonly main: SafeHtml
  readonly site: Site
  /** What it is looked for by, in the field of the page that lists what was found. */
  readonly isSearch?: boolean
}

/** The frame: brand, search, languages, and the contents beside the page. */
export function renderDocument(view: DocumentView): string {
  const { language, address, twins, title, description, main, site } = view
  const words = WORDS[language]
  const others = LANGUAGES.filter((one) => one !== language && twins[one])
  return toText(
    html`<!doctype html>
      <html lang="${LOCALES[language]}">
        <head>
          <meta charset="utf-8" />
          <title>${title} – Parley</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="description" content="${description}" />
          <link rel="canonical" href="${ORIGIN}${address}" />
          ${others.map(
            (one) =>
              html`<link rel="alternate" hreflang="${one}" href="${ORIGIN}${twins[one] ?? ''}" />`,
          )}
          <link rel="icon" href="${site.assets.icon}" type="image/svg+xml" />
          <link rel="stylesheet" href="${site.assets.style}" />
          <script type="module" src="${site.assets.script}"></script>
        </head>
        <body data-copy="${words.copy}" data-copied="${words.copied}">
          <a class="skip" href="#content">${words.skip}</a>
          <header class="top">
            <a class="brand" href="${toAddress('README', language)}">
              ${BRAND_MARK} Parley <span>${words.documentation}</span>
            </a>
            ${!view.isSearch && renderSearchField(language, site)}
            <nav class="tools" aria-label="${words.language}">
              ${LANGUAGES.map((one) => renderLanguage(one, view))}
            </nav>
          </header>
          <div class="columns">
            <nav class="contents" aria-label="${words.contents}">
              <details>
                <summary>${words.menu}</summary>
                ${renderContents(address, language, site)}
              </details>
              <div class="wide">${renderContents(address, language, site)}</div>
            </nav>
            ${main}
          </div>
        </body>
      </html> `,
  )
}

function renderLanguage(one: Language, { language, twins }: DocumentView): SafeHtml {
  const name = LANGUAGE_NAMES[one]
  if (one === language) return html`<span aria-current="true" lang="${one}">${name}</span>`
  // A page that is in one language alone leads to the other's front page.
  const to = twins[one] ?? toAddress('README', one)
  return html`<a href="${to}" lang="${one}" hreflang="${one}">${name}</a>`
}

/** A form that leads to the page of the search; with the script it shows what it finds as one types. */
export function renderSearchField(language: Language, { assets }: Site): SafeHtml {
  const words = WORDS[language]
  return html`<form class="search" role="search" action="${toAddress('search', language)}">
    <input
      type="search"
      name="q"
      placeholder="${words.search}"
      aria-label="${words.searchLabel}"
      maxlength="100"
      autocomplete="off"
      data-index="${assets.search[language]}"
      data-found="${words.found}"
      data-found-one="${words.foundOne}"
      data-found-none="${words.foundNone}"
      data-failed="${words.searchFailed}"
    />
    <p role="status" class="count"></p>
    <ul class="results" hidden></ul>
  </form>`
}

function renderContents(current: string, language: Language, { titles }: Site): SafeHtml {
  const words = WORDS[language]
  const renderLink = (address: string, title: string): SafeHtml =>
    html`<li>
      <a href="${address}" aria-current="${address === current ? 'page' : 'false'}">${title}</a>
    </li>`
  return html`${CHAPTERS.map(
      ({ title, pages }) =>
        html`<h2>${title[language]}</h2>
          <ul>
            ${pages.map((name) => {
              const address = toAddress(name, language)
              return renderLink(address, titles.get(address) ?? name)
            })}
          </ul>`,
    )}
    <h2>${words.reference}</h2>
    <ul>
      ${renderLink('/docs/api', words.apiReference)}
      ${renderLink('/docs/changelog', words.changelog)}
      ${renderLink('/docs/security', words.security)}
      ${renderLink('/docs/decisions', words.decisions)} ${renderLink('/console', words.console)}
    </ul>`
}

function renderOnThisPage(headings: readonly Heading[], language: Language): SafeHtml {
  const words = WORDS[language]
  return html`<aside class="on-this-page">
    <nav aria-label="${words.onThisPage}">
      <h2>${words.onThisPage}</h2>
      <ul>
        ${headings.map(
          ({ id, text, depth }) =>
            html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`,
        )}
      </ul>
    </nav>
  </aside>`
}

function renderNeighbours(address: string, language: Language, { titles }: Site): SafeHtml | false {
  const words = WORDS[language]
  const all = CHAPTERS.flatMap(({ pages }) => pages.map((name) => toAddress(name, language)))
  const place = all.indexOf(address)
  if (place === -1) return false
  const renderOne = (to: string | undefined, label: string, rel: string): SafeHtml | false =>
    to !== undefined &&
    html`<a href="${to}" rel="${rel}"><span>${label}</span> ${titles.get(to) ?? to}</a>`
  return html`<nav class="neighbours" aria-label="${words.previous}, ${words.next}">
    ${place > 0 && renderOne(all[place - 1], words.previous, 'prev')}
    ${renderOne(all[place + 1], words.next, 'next')}
  </nav>`
}

const BRAND_MARK = html`<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
  <path
    class="brand-back"
    d="M6 3h20a5 5 0 0 1 5 5v11a5 5 0 0 1-5 5H15l-7 6v-6H6a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5z"
  />
  <path class="brand-front" d="M9 10.5h14M9 16h9" />
</svg>`
