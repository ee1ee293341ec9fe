import type { AuthorizationProblem } from '#identity/index.ts'
import { escapeHtml } from './escape-html.ts'

/** What a person sees whose sign-in to an app went wrong so that no app can be told. */
export function renderErrorPage({ error, description }: AuthorizationProblem): string {
  return `<!doctype html><html lang="en"><title>Parley</title><body>
<h1>This sign-in cannot go on</h1>
<p>The app that sent you here made a mistake, or waited too long. Go back to it and try again.</p>
<p>${escapeHtml(error)}: ${escapeHtml(description)}</p></body></html>`
}
