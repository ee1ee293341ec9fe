import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { utcDay } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import { writeJsonStream } from '../http/write-json-stream.ts'
import { doerOf, sessionOf } from './authenticate-session.ts'
import { describePersonalData, type PersonalDataTools } from './personal-data.ts'
import { refuseUnconfirmed } from './refuse-unconfirmed.ts'

/** What people take along of what is kept of them. */
export function createPersonalDataHandlers(tools: PersonalDataTools) {
  const { identity, persons, clock } = tools
  return {
    async exportMyself(request: FastifyRequest, reply: FastifyReply) {
      const { people } = await identity.load()
      const { personId } = sessionOf(request)
      const { password } = request.body as { readonly password?: string | null }
      refuseUnconfirmed(await people.confirm(sessionOf(request), password ?? undefined))
      const note = await persons.noteExport(personId, doerOf(request))
      if (note.kind === 'too_often') {
        const sentence = 'Your data was downloaded three times within a day. Wait, then try again.'
        throw new Fault('too_many_attempts', sentence, { retryAfterS: note.retryAfterS })
      }
      const data = await describePersonalData(tools, personId)
      const fileName = `parley-personal-data-${utcDay(clock.nowMs())}.json`
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(writeJsonStream(data)))
    },
  }
}
