import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, type ReplyTo } from './client.ts'

/** Where the API is, and whose payments are taken. */
export type ConsoleSettings = ReplyTo<'get /console/api/settings'>

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call('get /console/api/settings', {}, signal),
  staleTime: 600_000,
})

export function useSettings() {
  return useQuery(settingsQuery)
}
