import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'

export type Session = ReplyTo<'get /console/api/sessions'>['data'][number]

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('get /console/api/sessions', {}, signal),
})
