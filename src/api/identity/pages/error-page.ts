import type { Fault } from '#platform/fault.ts'
import { html } from '#platform/html.ts'
import { WORDS, type Language, type Words } from './languages.ts'
import { renderPage } from './render-page.ts'

export interface ErrorPage {
  readonly status: number
  readonly title: string
  readonly text: string
  /** What the makers of an app have to know; shown as it stands. */
  readonly details?: string | undefined
  readonly requestId: string
  readonly language: Language
}

/** A page that says what went wrong, and by which id we find it. A whole document. */
export function renderErrorPage(page: ErrorPage): string {
  const { status, title, text, details, requestId, language } = page
  const { common, gone } = WORDS[language]
  const main = html`<h1>${title}</h1>
    <p class="lead">${text}</p>
    ${details !== undefined && html`<p class="details"><code>${details}</code></p>`}
    <p class="below"><a href="/account">${gone.account}</a></p>
    <p class="fine">
      ${status >= 500 ? common.newTry : `${common.requestId}:`} <code>${requestId}</code>
    </p>`
  return renderPage({ language, title, main, hasProblems: true })
}

/** What of a fault its reader can do something with. */
export function describeFault({ code, retryAfterS }: Fault, { faults, problems }: Words) {
  if (code === 'not_found') return { title: faults.notFoundTitle, text: faults.notFoundText }
  if (code === 'invalid_request') return { title: faults.refusedTitle, text: faults.refusedText }
  if (code === 'model_unavailable') return { title: faults.awayTitle, text: faults.awayText }
  if (code !== 'too_many_attempts') return { title: faults.title, text: faults.text }
  const text = retryAfterS === undefined ? problems.tooOften : problems.tooOftenFor(retryAfterS)
  return { title: faults.refusedTitle, text }
}
