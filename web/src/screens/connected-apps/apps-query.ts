import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'

export type ConnectedApp = ReplyTo<'get /console/api/connected-apps'>['data'][number]

export const appsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: ({ signal }) => call('get /console/api/connected-apps', {}, signal),
})
