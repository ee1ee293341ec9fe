import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESS_HEADER, AUTH_PATH } from '#identity/index.ts'
import type { IdentityApiOptions } from './identity-api.ts'
import { isFromOwnPage } from './is-from-own-page.ts'

const MAX_BODY_BYTES = 64 * 1_024

/** What of the sign-in API is served. What it can do besides is not reachable. */
const ROUTES = {
  GET: [
    '/get-session',
    '/verify-email',
    '/passkey/generate-authenticate-options',
    '/passkey/generate-register-options',
    '/passkey/list-user-passkeys',
  ],
  POST: [
    '/sign-up/email',
    '/sign-in/email',
    '/sign-out',
    '/send-verification-email',
    '/request-password-reset',
    '/reset-password',
    '/change-password',
    '/change-email',
    '/update-user',
    '/passkey/verify-authentication',
    '/passkey/verify-registration',
    '/passkey/update-passkey',
    '/passkey/delete-passkey',
    '/two-factor/enable',
    '/two-factor/disable',
    '/two-factor/get-totp-uri',
    '/two-factor/verify-totp',
    '/two-factor/verify-backup-code',
    '/two-factor/generate-backup-codes',
  ],
} as const

/** The sign-in API, as JSON: what our own pages and the console call. */
export function registerPeople(server: FastifyInstance, { identity }: IdentityApiOptions): void {
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    // In the words of this API, which is not the contract's.
    scope.setErrorHandler((error, _request, reply) => {
      if ((error as FastifyError).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
      return refuse(reply, 413, 'BODY_TOO_LARGE', 'The body has at most 64 KiB.')
    })
    for (const method of ['GET', 'POST'] as const) {
      for (const path of ROUTES[method]) {
        scope.route({
          method,
          url: AUTH_PATH + path,
          async handler(request, reply) {
            if (isFromElsewhere(request, identity.issuer)) {
              return refuse(reply, 403, 'INVALID_ORIGIN', 'Must be sent by a page of this service.')
            }
            const { people } = await identity.load()
            const response = await people.handle(toWebRequest(request, identity.issuer))
            const waitS = response.headers.get('x-retry-after')
            if (waitS !== null) void reply.header('retry-after', waitS)
            return reply.header('cache-control', 'no-store').send(response)
          },
        })
      }
    }
  })
}

/**
 * A browser says where a request was sent from, and sends cookies along from anywhere. What is no
 * browser's says neither, and may sign in.
 */
function isFromElsewhere(request: FastifyRequest, issuer: string): boolean {
  const { origin, cookie } = request.headers
  if (request.method !== 'POST' || (origin === undefined && cookie === undefined)) return false
  return !isFromOwnPage(request, issuer)
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send({ code, message })
}

function toWebRequest(request: FastifyRequest, issuer: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  if (request.sentType === undefined) headers.delete('content-type')
  else headers.set('content-type', request.sentType)
  headers.set(ADDRESS_HEADER, request.ip)
  const body = request.method === 'POST' ? (request.body as Buffer<ArrayBuffer>) : null
  return new Request(issuer + request.url, { method: request.method, headers, body })
}
