/** Below it is the sign-in API. */
export const AUTH_PATH = '/api/auth'

/** Below it are the links that sign people in. */
export const LINK_PATH = '/link'

/** Of the sign-in API, where the page of such a link alone calls: no address leads there. */
export const SIGN_IN_BY_LINK = '/sign-in/link'

/** Who asks; set from the connection, never taken from the caller. */
export const ADDRESS_HEADER = 'x-parley-address'

/** What the cookie of a session is called after; with https a browser knows it as "__Secure-…". */
export const COOKIE_PREFIX = 'parley'

const SESSION_COOKIE = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${COOKIE_PREFIX}\\.session_token=`)

/** Whether there is a session to look for: what has no such cookie need not wait for anything. */
export function hasSessionCookie(cookies: string | undefined): boolean {
  return cookies !== undefined && SESSION_COOKIE.test(cookies)
}
