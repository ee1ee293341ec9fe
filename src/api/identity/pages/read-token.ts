/** The token of a link in a mail; undefined for what cannot be one. */
export function readToken(query: URLSearchParams): string | undefined {
  const token = query.get('token') ?? ''
  return /^[\w.-]{1,2048}$/.test(token) ? token : undefined
}
