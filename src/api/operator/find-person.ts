import type { FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { isRemoved, type Person, type Persons } from '#accounts/index.ts'

/** The person that an operator's request is about. */
export function createPersonFinder(persons: Persons) {
  async function findPerson(request: FastifyRequest): Promise<Person> {
    const { person_id: personId } = request.params as { person_id: string }
    const person = await persons.find(personId)
    if (!person) throw noSuchPerson()
    return person
  }

  return {
    findPerson,
    /** Of who is gone there is nothing to be done to. */
    async findPresent(request: FastifyRequest): Promise<Person> {
      const person = await findPerson(request)
      if (isRemoved(person)) throw new Fault('conflict', 'This person has deleted their account.')
      return person
    },
  }
}

export function noSuchPerson(): Fault {
  return new Fault('not_found', 'There is no person with this id.')
}
