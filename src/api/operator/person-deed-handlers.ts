import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { TwoFactorReset } from '../contract/index.ts'
import { createPersonFinder } from './find-person.ts'
import type { PersonTools } from './person-handlers.ts'

/** What cannot be taken back of somebody. */
export function createPersonDeedHandlers({ persons, identity }: PersonTools) {
  const { findPresent } = createPersonFinder(persons)
  return {
    async removePerson(request: FastifyRequest, reply: FastifyReply) {
      const removal = await identity.removePerson(await findPresent(request), request.actor)
      if (removal.kind === 'last_owner') {
        throw new Fault(
          'conflict',
          `This person is the last owner of ${removal.accountIds.join(', ')}, which has other members. One of them has to become an owner first.`,
        )
      }
      return reply.code(204).send()
    },
    async resetTwoFactor(request: FastifyRequest): Promise<TwoFactorReset> {
      const person = await findPresent(request)
      const { passkeys } = request.body as { readonly passkeys?: boolean | null }
      const wish = { passkeys: passkeys === true }
      const loss = await identity.resetTwoFactor(person, wish, request.actor)
      if (loss) return loss
      throw new Fault('conflict', 'This person has nothing of it to take away.')
    },
  }
}
