import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'

export type OperatorPerson = ReplyTo<'get /operator/v1/people/{person_id}'>

export function personOfIdQuery(personId: string) {
  return queryOptions({
    queryKey: ['operator', 'person', personId],
    queryFn: ({ signal }) =>
      call('get /operator/v1/people/{person_id}', { params: { person_id: personId } }, signal),
  })
}

/** Accounts tell whose they are by the address, of which there is one a person. */
export function personOfEmailQuery(email: string) {
  return queryOptions({
    queryKey: ['operator', 'person-of', email],
    queryFn: async ({ signal }) => {
      const { data } = await call('get /operator/v1/people', { query: { email } }, signal)
      return data[0] ?? null
    },
  })
}
