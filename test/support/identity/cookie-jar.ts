/** What a browser keeps of the cookies that it was given. */
export interface CookieJar {
  /** By name and path. */
  readonly cookies: Map<string, Cookie>
  /** The header for an address; undefined where there is nothing to send. */
  write(path: string): string | undefined
  keep(response: Response): void
}

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>()
  return {
    cookies,
    write(path) {
      const sent = [...cookies.values()].filter((cookie) => path.startsWith(cookie.path))
      return sent.map(({ name, value }) => `${name}=${value}`).join('; ') || undefined
    },
    keep(response) {
      for (const text of response.headers.getSetCookie()) keepCookie(cookies, text)
    },
  }
}

function keepCookie(cookies: Map<string, Cookie>, text: string): void {
  const [pair = '', ...attributes] = text.split(/;\s*/)
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/'
  const isOver = attributes.some((one) => /^(max-age=0|expires=thu, 01 jan 1970.*)$/i.test(one))
  if (isOver || value === '') cookies.delete(`${name} ${path}`)
  else cookies.set(`${name} ${path}`, { name, value, path })
}
