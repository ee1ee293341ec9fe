import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Identity, SigningKey } from '#identity/index.ts'
import type { SigningKey as WireSigningKey } from '../contract/index.ts'

/** As long as clients may keep our key set before they ask again. */
const DEFAULT_DELAY_S = 3_600

/** The keys that sign id tokens. */
export function createSigningKeyHandlers(identity: Identity) {
  return {
    async listSigningKeys() {
      const keys = await identity.signingKeys.list()
      return { data: keys.map(writeKey), next_cursor: null }
    },
    async rotateSigningKey(request: FastifyRequest, reply: FastifyReply) {
      const { signs_after_s: delayS } = request.body as { signs_after_s?: number | null }
      const delayMs = (delayS ?? DEFAULT_DELAY_S) * 1_000
      const rotation = await identity.rotateSigningKey(delayMs, request.actor)
      switch (rotation.kind) {
        case 'made':
          return reply.code(201).send(writeKey(rotation.key))
        case 'too_many':
          throw new Fault('conflict', `There are ${rotation.most} keys already: drop some first.`)
      }
    },
    async dropSigningKey(request: FastifyRequest, reply: FastifyReply) {
      const { kid } = request.params as { kid: string }
      switch (await identity.dropSigningKey(kid, request.actor)) {
        case 'dropped':
          return reply.code(204).send()
        case 'signing':
          throw new Fault('conflict', 'This key signs: make another one sign first.')
        case 'unknown':
          throw new Fault('not_found', 'There is no signing key with this id.')
      }
    },
  }
}

function writeKey({ kid, state, signsFromMs, createdAtMs }: SigningKey): WireSigningKey {
  // The first key signs from the beginning of time; nobody needs to see that.
  const signsFrom = Math.max(signsFromMs, createdAtMs)
  return { kid, state, signs_from: signsFrom, created_at: createdAtMs }
}
