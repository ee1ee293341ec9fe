import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { INTERACTION, type Exchange, type InteractionStep } from '#identity/index.ts'
import { Fault } from '#platform/fault.ts'
import type { IdentityApiOptions } from './identity-api.ts'
import { isFromOwnPage } from './is-from-own-page.ts'
import { escapeHtml } from './pages/escape-html.ts'

interface Params {
  readonly uid: string
}

/** What an authorization asks a person: to sign in, and to consent. Forms that need no script. */
export function registerInteractions(server: FastifyInstance, options: IdentityApiOptions): void {
  const { identity } = options
  const url = `${INTERACTION}/:uid`

  async function describeExchange(
    request: FastifyRequest<{ Params: Params }>,
    reply: FastifyReply,
  ): Promise<Exchange> {
    const { people } = await identity.load()
    const session = await people.findSession(request.headers)
    return {
      request: request.raw,
      response: reply.raw,
      uid: request.params.uid,
      signedIn: session && { personId: session.personId, sinceMs: session.sinceMs },
    }
  }

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: 1_024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.get<{ Params: Params }>(url, async (request, reply) => {
      const { openId } = await identity.load()
      const exchange = await describeExchange(request, reply)
      return answer(reply, request.url, await openId.interactions.next(exchange))
    })
    scope.post<{ Params: Params; Body: { decision?: string } }>(url, async (request, reply) => {
      if (!isFromOwnPage(request, identity.issuer)) {
        throw new Fault('invalid_request', 'body: must be sent by the page itself')
      }
      const { openId } = await identity.load()
      const exchange = await describeExchange(request, reply)
      const { interactions } = openId
      const isAllowed = request.body.decision === 'allow'
      const step = await (isAllowed ? interactions.allow(exchange) : interactions.deny(exchange))
      if (step.kind !== 'redirect') return answer(reply, request.url, step)
      // Not a redirect: browsers hold those that follow a form to the page's form-action.
      return sendPage(
        reply,
        200,
        `<meta http-equiv="refresh" content="0;url=${escapeHtml(step.to)}">`,
      )
    })
  })
}

function answer(reply: FastifyReply, url: string, step: InteractionStep): FastifyReply {
  switch (step.kind) {
    case 'redirect':
      return reply.redirect(step.to, 303)
    case 'sign_in': {
      const query = new URLSearchParams({ next: url, ...(step.again && { again: '1' }) })
      return reply.redirect(`/sign-in?${query.toString()}`, 303)
    }
    case 'gone':
      return sendPage(reply, 410, '<p>This sign-in has expired. Go back to the app and try again.')
    case 'consent':
      return sendPage(
        reply,
        200,
        `<form method="post"><p>${escapeHtml(step.request.client.name)}: ${escapeHtml(step.request.scopes.join(' '))}
        <button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></form>`,
      )
  }
}

function sendPage(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(`<!doctype html><html lang="en"><title>Parley</title><body>${body}</body></html>`)
}
