import type { FastifyReply } from 'fastify'
import { html } from '#platform/html.ts'
import { WORDS } from './languages.ts'
import type { Answer, Visit } from './page.ts'
import { renderPage } from './render-page.ts'

/** What a page answered, as HTTP. None of it is kept by any cache. */
export function sendAnswer(visit: Visit, answer: Answer): FastifyReply {
  const { reply, request, issuer } = visit
  reply.header('cache-control', 'no-store')
  switch (answer.kind) {
    case 'redirect':
      return reply.redirect(answer.to, 303)
    case 'onward':
      return sendPage(reply, 200, renderOnward(visit, answer.to))
    case 'page': {
      const { status = 200, language = visit.language, ...view } = answer
      const address = URL.parse(request.url, issuer) ?? undefined
      return sendPage(reply, status, renderPage({ ...view, language, address }))
    }
  }
}

function sendPage(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.code(status).type('text/html; charset=utf-8').send(text)
}

/** Not a redirect: browsers hold those that follow a form to the page's form-action. */
function renderOnward({ language }: Visit, to: string): string {
  const { common } = WORDS[language]
  const main = html`<h1>${common.goingOn}</h1>
    <p class="lead">${common.goingOnText}</p>
    <p><a class="button main-action" href="${to}">${common.continue}</a></p>`
  return renderPage({ language, title: common.goingOn, main, refreshTo: to })
}
