import { queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from './client.ts'

export type Member = ReplyTo<'get /console/api/accounts/{account_id}/members'>['data'][number]
export type Invitation =
  ReplyTo<'get /console/api/accounts/{account_id}/invitations'>['data'][number]

/** All that begin with it are asked anew when members change. */
export const membersOf = (accountId: string) => ['members', accountId] as const

export function membersQuery(accountId: string) {
  return queryOptions({
    queryKey: [...membersOf(accountId), 'list'],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/members',
        { params: { account_id: accountId } },
        signal,
      ),
  })
}

export function invitationsQuery(accountId: string) {
  return queryOptions({
    queryKey: [...membersOf(accountId), 'invitations'],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/invitations',
        { params: { account_id: accountId } },
        signal,
      ),
  })
}
