import type { FastifyInstance } from 'fastify'

/** A year; browsers then come by https alone. */
const HSTS = 'max-age=31536000'

/** On every reply of a service at this origin. What is no page must never be taken for one. */
export function listSecurityHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    // Over plain http browsers pass it over, and on a machine of one's own it would do harm.
    ...(origin.startsWith('https:') && { 'strict-transport-security': HSTS }),
  }
}

/** On every page: it runs and loads what this service serves, and is put into no other page. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // Not "no-referrer": with it, browsers hide the Origin of our own forms from us as well.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // For browsers that do not know frame-ancestors.
  'x-frame-options': 'DENY',
}

/**
 * Gives these headers to every HTML reply, whichever route sends it. A page that needs another of
 * them (a form that leads elsewhere) sets its own, which is left as it is.
 */
export function guardPages(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isPage(reply.getHeader('content-type'))) {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) {
        if (!reply.hasHeader(name)) reply.header(name, value)
      }
    }
    done(null, payload)
  })
}

/** Browsers make a document of these two, in any case. */
function isPage(type: unknown): boolean {
  return typeof type === 'string' && /^\s*(text\/html|application\/xhtml\+xml)/i.test(type)
}
