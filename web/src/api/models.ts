import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => call('get /console/api/models', {}, signal),
  staleTime: 60_000,
})
