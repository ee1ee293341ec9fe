import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'

export type Alerts = ReplyTo<'get /console/api/accounts/{account_id}/alerts'>

export function alertsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['alerts', accountId],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/alerts',
        { params: { account_id: accountId } },
        signal,
      ),
  })
}
