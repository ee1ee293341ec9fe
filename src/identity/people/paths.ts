/** Below it is the sign-in API. */
export const AUTH_PATH = '/api/auth'

/** Who asks; set from the connection, never taken from the caller. */
export const ADDRESS_HEADER = 'x-parley-address'

/** What the cookie of a session is called after; with https a browser knows it as "__Secure-…". */
export const COOKIE_PREFIX = 'parley'

const SESSION_COOKIE = new RegExp(`(?:^|;\\s*)(?:__Secure-)?${COOKIE_PREFIX}\\.session_token=`)

/** Whether there is a session to look for: what has no such cookie need not wait for anything. */
export function hasSessionCookie(cookies: string | undefined): boolean {
  return cookies !== undefined && SESSION_COOKIE.test(cookies)
}
