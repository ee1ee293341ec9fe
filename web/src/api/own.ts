import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { call, type ReplyTo } from './client.ts'

export type Person = ReplyTo<'get /console/api/person'>
export type OwnAccount = ReplyTo<'get /console/api/accounts'>['data'][number]

export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: ({ signal }) => call('get /console/api/person', {}, signal),
  staleTime: 60_000,
})

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => call('get /console/api/accounts', { query: { limit: '200' } }, signal),
})

/** Who is signed in: below the frame they are there. */
export function usePerson(): Person {
  return useSuspenseQuery(personQuery).data
}

export function useAccounts() {
  return useQuery(accountsQuery)
}
