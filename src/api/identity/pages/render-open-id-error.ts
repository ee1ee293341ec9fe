import type { IncomingHttpHeaders } from 'node:http'
import { PAGE_HEADERS } from '../../http/security-headers.ts'
import { readLanguage, renderErrorPage } from './error-page.ts'
import { WORDS } from './languages.ts'

export interface OpenIdError {
  readonly status: number
  /** Of the provider, e.g. "invalid_client". */
  readonly error: string
  readonly description?: string | undefined
  readonly requestId: string
  /** Of the request: they say which language to answer in. */
  readonly headers: IncomingHttpHeaders
}

export interface RenderedError {
  /** All that a page has to be sent with; the provider's answers pass our own server's hooks by. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An error of the OpenID provider that cannot be told to the app, for whoever it sent to us. */
export function renderOpenIdError(problem: OpenIdError): RenderedError {
  const { status, error, description, requestId } = problem
  const language = readLanguage(problem.headers)
  const { faults } = WORDS[language]
  const isOurs = status >= 500
  const body = renderErrorPage({
    status,
    language,
    requestId,
    title: isOurs ? faults.title : faults.appTitle,
    text: isOurs
      ? faults.text
      : [findReason(error, faults), faults.appText].filter(Boolean).join(' '),
    details: isOurs ? undefined : [error, description].filter(Boolean).join(': '),
  })
  const headers = {
    ...PAGE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  }
  return { headers, body }
}

function findReason(
  error: string,
  faults: { readonly unknownApp: string; readonly wrongAddress: string },
): string | undefined {
  if (error === 'invalid_client') return faults.unknownApp
  return error === 'invalid_redirect_uri' ? faults.wrongAddress : undefined
}
