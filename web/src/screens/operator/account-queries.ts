import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'

export type Account = ReplyTo<'get /operator/v1/accounts/{account_id}'>

export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: ['operator', 'account', accountId],
    queryFn: ({ signal }) =>
      call('get /operator/v1/accounts/{account_id}', { params: { account_id: accountId } }, signal),
  })
}
