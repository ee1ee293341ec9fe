import type { FastifyInstance } from 'fastify'
import type { Accounts } from '#accounts/index.ts'
import type { Chat } from '#chat/index.ts'
import type { Gate } from '#gate/index.ts'
import type { Models } from '#models/index.ts'
import type { Contract } from '../contract/index.ts'
import { registerOperation } from '../http/register-operation.ts'
import { createAuthenticate } from './authenticate.ts'
import { registerChatRoute } from './chat-route.ts'
import { writeModelList } from './write-model-list.ts'

export interface PublicApiOptions {
  readonly contract: Contract
  readonly serviceName: string
  readonly origin: string
  readonly accounts: Accounts
  readonly gate: Gate
  readonly models: Models
  readonly chat: Chat
}

/** Spares a request to the database for each body. */
const MAX_GLANCE_MS = 60_000

/** {base_url}: chat, the model list and the document that describes both. */
export function registerPublicApi(server: FastifyInstance, options: PublicApiOptions): void {
  const { contract, serviceName, origin, models, chat } = options
  server.decorateRequest('keyHash', '')
  registerChatRoute(server, {
    operation: contract.public.chatCompletion,
    chat,
    // The gate looks again when it admits.
    authenticate: createAuthenticate(options, MAX_GLANCE_MS),
  })

  registerOperation(server, contract.public.listModels, {
    onRequest: createAuthenticate(options, 0),
    handler: () => writeModelList(serviceName, models.list()),
  })

  const document = JSON.stringify(contract.openapi(origin))
  registerOperation(server, contract.public.getOpenapi, {
    handler: (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .serializer((text: unknown) => text as string)
        .send(document),
  })
}
