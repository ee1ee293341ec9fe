import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Client, ClientKind, Clients, RedirectProblem } from '#identity/index.ts'
import type { CreatedOidcClient, OidcClient } from '../contract/index.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

interface NewClientBody {
  readonly name: string
  readonly kind: ClientKind
  readonly redirect_uris: readonly string[]
}

interface ClientChangeBody {
  readonly name?: string | null
  readonly redirect_uris?: readonly string[] | null
}

/** The apps that people can sign in to. */
export function createClientHandlers(clients: Clients) {
  return {
    async createClient(request: FastifyRequest, reply: FastifyReply) {
      const { name, kind, redirect_uris: redirectUris } = request.body as NewClientBody
      const outcome = await clients.create({ name, kind, redirectUris }, request.actor)
      if (outcome.kind === 'bad_redirect_uri') throw refuseRedirect(outcome)
      return reply.code(201).send(writeCreated(outcome.client, outcome.secret))
    },
    async listClients(request: FastifyRequest) {
      const { before, limit } = readPage(request.query as PageQuery)
      const found = await clients.list({ before, limit: limit + 1 })
      const page = writePage(found, limit, ({ id }) => id)
      return { ...page, data: page.data.map(writeClient) }
    },
    async getClient(request: FastifyRequest) {
      const client = await clients.find(clientIdOf(request))
      if (!client) throw noSuchClient()
      return writeClient(client)
    },
    async updateClient(request: FastifyRequest) {
      const { name, redirect_uris: redirectUris } = request.body as ClientChangeBody
      const changes = { ...(name && { name }), ...(redirectUris && { redirectUris }) }
      const outcome = await clients.update(clientIdOf(request), changes, request.actor)
      switch (outcome.kind) {
        case 'updated':
          return writeClient(outcome.client)
        case 'bad_redirect_uri':
          throw refuseRedirect(outcome)
        case 'unknown':
          throw noSuchClient()
      }
    },
    async rotateClientSecret(request: FastifyRequest, reply: FastifyReply) {
      const outcome = await clients.rotateSecret(clientIdOf(request), request.actor)
      switch (outcome.kind) {
        case 'rotated':
          return reply.code(201).send(writeCreated(outcome.client, outcome.secret))
        case 'has_none':
          throw new Fault('conflict', 'A public client has no secret.')
        case 'unknown':
          throw noSuchClient()
      }
    },
    async deleteClient(request: FastifyRequest, reply: FastifyReply) {
      if (!(await clients.remove(clientIdOf(request), request.actor))) throw noSuchClient()
      return reply.code(204).send()
    },
  }
}

function clientIdOf(request: FastifyRequest): string {
  return (request.params as { client_id: string }).client_id
}

function noSuchClient(): Fault {
  return new Fault('not_found', 'There is no client with this id.')
}

function refuseRedirect({ index, sentence }: RedirectProblem): Fault {
  return new Fault('invalid_request', `redirect_uris[${index}]: ${sentence}`)
}

function writeClient({ id, name, kind, redirectUris, createdAtMs }: Client): OidcClient {
  return {
    client_id: id,
    name,
    kind,
    redirect_uris: [...redirectUris],
    created_at: createdAtMs,
  }
}

function writeCreated(client: Client, secret: string | null): CreatedOidcClient {
  return { ...writeClient(client), client_secret: secret }
}
