import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'

export type ModelState = ReplyTo<'get /operator/v1/models'>['data'][number]
export type UpstreamState = ModelState['upstreams'][number]

const EVERY_MS = 5_000

/** Health changes by itself. Nothing is asked for while nobody looks. */
export const modelStatesQuery = queryOptions({
  queryKey: ['operator', 'models'],
  queryFn: ({ signal }) => call('get /operator/v1/models', {}, signal),
  refetchInterval: EVERY_MS,
})
