import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { canBeKept } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import type { ConnectedApp } from '../contract/index.ts'
import { doerOf, sessionOf } from './authenticate-session.ts'

/** The apps that a person has let know who they are. */
export function createConnectedAppHandlers({ connectedApps }: Identity) {
  return {
    async listConnectedApps(request: FastifyRequest) {
      const apps = await connectedApps.list(sessionOf(request).personId)
      const data: ConnectedApp[] = apps.map((app) => ({
        client_id: app.clientId,
        name: app.name,
        scopes: [...app.scopes],
        consented_at: app.consentedAtMs,
        last_used_at: app.usedAtMs,
      }))
      return { data }
    },
    async revokeConnectedApp(request: FastifyRequest, reply: FastifyReply) {
      const { connected_client_id: clientId } = request.params as { connected_client_id: string }
      const { personId } = sessionOf(request)
      const isRevoked =
        canBeKept(clientId) && (await connectedApps.revoke(personId, clientId, doerOf(request)))
      if (!isRevoked) {
        throw new Fault('not_found', 'This app knows nothing of you.')
      }
      return reply.code(204).send()
    },
  }
}
