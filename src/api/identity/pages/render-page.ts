import { ASSETS } from './assets.ts'
import { html, toText, type SafeHtml } from '#platform/html.ts'
import { LANGUAGE_NAMES, LANGUAGES, LOCALES, WORDS, type Language } from './languages.ts'

export interface PageView {
  readonly language: Language
  readonly title: string
  readonly main: SafeHtml
  /** Said in the title: it is the first that a screen reader tells of a page. */
  readonly hasProblems?: boolean
  /** Path and query of this page, for the links to it in other languages; none where it cannot be asked again. */
  readonly address?: URL | undefined
  readonly isPaper?: boolean
  /** Where the page sends its reader on to, at once. */
  readonly refreshTo?: string
}

/** A whole document. It runs nothing and loads nothing but our own few files. */
export function renderPage(view: PageView): string {
  const { language, title, main, hasProblems, address, refreshTo, isPaper } = view
  const { common } = WORDS[language]
  const prefix = hasProblems ? `${common.errorInTitle} ` : ''
  const page = html`<!doctype html>
    <html lang="${LOCALES[language]}">
      <head>
        <meta charset="utf-8" />
        <title>${prefix}${title} – Parley</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${refreshTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${refreshTo}" />`}
        <link rel="icon" href="${ASSETS.icon.path}" type="${ASSETS.icon.type}" />
        <link rel="stylesheet" href="${ASSETS.style.path}" />
        ${isPaper && html`<link rel="stylesheet" href="${ASSETS.paper.path}" />`}
        <script type="module" src="${ASSETS.script.path}"></script>
      </head>
      <body>
        <header class="top">${BRAND}</header>
        <main class="${isPaper ? 'card paper' : 'card'}">${main}</main>
        <footer class="bottom">${address && renderLanguages(address, language)}</footer>
      </body>
    </html> `
  return toText(page)
}

const BRAND = html`<p class="brand">
  <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
    <path
      class="brand-back"
      d="M6 3h20a5 5 0 0 1 5 5v11a5 5 0 0 1-5 5H15l-7 6v-6H6a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5z"
    />
    <path class="brand-front" d="M9 10.5h14M9 16h9" /></svg
  >Parley
</p>`

function renderLanguages(address: URL, current: Language): SafeHtml {
  const links = LANGUAGES.map((language) => {
    const name = LANGUAGE_NAMES[language]
    if (language === current) {
      return html`<li><span lang="${language}" aria-current="true">${name}</span></li>`
    }
    const query = new URLSearchParams(address.searchParams)
    // It was for what had just happened.
    query.delete('notice')
    query.set('lang', language)
    const to = `${address.pathname}?${query.toString()}`
    return html`<li><a href="${to}" lang="${language}" hreflang="${language}">${name}</a></li>`
  })
  return html`<nav aria-label="${WORDS[current].common.language}">
    <ul class="languages">
      ${links}
    </ul>
  </nav>`
}
