import type { ConnectedApp, SessionEntry } from '#identity/index.ts'
import { describeBrowser } from './describe-browser.ts'
import { html, type SafeHtml } from '#platform/html.ts'
import { LOCALES, type Language, type Words } from './languages.ts'

/** In which words, and in whose calendar. */
export interface Speech {
  readonly words: Words
  readonly language: Language
}

/** Where a person is signed in: this browser first, the others with a way to end them. */
export function renderSessions(
  sessions: readonly SessionEntry[],
  currentId: string,
  speech: Speech,
): SafeHtml {
  const { account } = speech.words
  const current = sessions.find(({ id }) => id === currentId)
  const others = sessions.filter(({ id }) => id !== currentId)
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">${account.sessions}</h2>
    <ul class="rows">
      ${current && html`<li>${renderSession(current, account.thisBrowser, speech)}</li>`}
      ${others.map((session) => renderOther(session, speech))}
    </ul>
    ${
      others.length > 0 &&
      html`<form method="post" action="/account/sessions/end-others">
        <button type="submit">${account.endOthers}</button>
      </form>`
    }
  </section>`
}

function renderSession(session: SessionEntry, name: string, speech: Speech): SafeHtml {
  const { account } = speech.words
  const date = writeDay(session.createdAtMs, speech)
  return html`<span>${name} <span class="soft">${account.since(date)}</span></span>`
}

function renderOther(session: SessionEntry, speech: Speech): SafeHtml {
  const { account } = speech.words
  const name = describeBrowser(session.userAgent, speech.words)
  return html`<li>
    ${renderSession(session, name, speech)}
    <form method="post" action="/account/sessions/end">
      <input type="hidden" name="id" value="${session.id}" />
      <button type="submit" class="link" aria-label="${account.endSession(name)}">
        ${account.end}
      </button>
    </form>
  </li>`
}

export function renderApps(apps: readonly ConnectedApp[], speech: Speech): SafeHtml {
  const { account } = speech.words
  return html`<section aria-labelledby="apps">
    <h2 id="apps">${account.apps}</h2>
    ${
      apps.length === 0
        ? html`<p class="soft">${account.noApps}</p>`
        : html`<ul class="rows">
            ${apps.map((app) => renderApp(app, speech))}
          </ul>`
    }
  </section>`
}

function renderApp({ clientId, name, usedAtMs }: ConnectedApp, speech: Speech): SafeHtml {
  const { account } = speech.words
  const date = writeDay(usedAtMs, speech)
  return html`<li>
    <span><bdi>${name}</bdi> <span class="soft">${account.lastUsed(date)}</span></span>
    <form method="post" action="/account/apps/revoke">
      <input type="hidden" name="client_id" value="${clientId}" />
      <button type="submit" class="link" aria-label="${account.revokeApp(name)}">
        ${account.revoke}
      </button>
    </form>
  </li>`
}

/** In UTC: where the reader is we do not know. */
export function writeDay(atMs: number, { language }: Speech): string {
  const format = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(LOCALES[language], format).format(atMs)
}
