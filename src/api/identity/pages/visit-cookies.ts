import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieName, VisitCookies } from './page.ts'

/** The prefix keeps other hosts and plain http from setting them (RFC 6265bis, 4.1.3). */
export function createVisitCookies(
  request: Pick<FastifyRequest, 'headers'>,
  reply: Pick<FastifyReply, 'header'>,
  issuer: string,
): VisitCookies {
  const isSecure = issuer.startsWith('https:')
  const toName = (name: CookieName): string => `${isSecure ? '__Host-' : ''}parley_${name}`
  const write = (name: CookieName, value: string, age: string): void => {
    const secure = isSecure ? '; Secure' : ''
    const text = `${toName(name)}=${encodeURIComponent(value)}; Path=/${age}; HttpOnly; SameSite=Lax${secure}`
    reply.header('set-cookie', text)
  }
  return {
    read: (name) => readCookie(request.headers.cookie, toName(name)),
    keep: (name, value, maxAgeS) =>
      write(name, value, maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`),
    drop(name) {
      if (readCookie(request.headers.cookie, toName(name)) !== undefined) {
        write(name, '', '; Max-Age=0')
      }
    },
  }
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(/;\s*/).find((one) => one.startsWith(`${name}=`))
  const value = pair?.slice(name.length + 1)
  if (value === undefined || !/^[\w.~!*'()%-]+$/.test(value)) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
