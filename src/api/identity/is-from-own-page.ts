import type { FastifyRequest } from 'fastify'

/**
 * True for what one of our own pages sent. Browsers say where a form was sent from (Origin), and
 * newer ones from what kind of page (Sec-Fetch-Site); a request that says neither is no browser's.
 */
export function isFromOwnPage({ headers }: FastifyRequest, issuer: string): boolean {
  if (headers.origin !== undefined) return headers.origin === issuer
  return headers['sec-fetch-site'] === 'same-origin'
}
