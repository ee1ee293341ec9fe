import type { IncomingHttpHeaders } from 'node:http'

/** Node's headers as the web's. */
export function toHeaders(headers: IncomingHttpHeaders): Headers {
  const result = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      // Names of HTTP/2 begin with a colon and are none in HTTP/1.
      if (one !== undefined && !name.startsWith(':')) result.append(name, one)
    }
  }
  return result
}
