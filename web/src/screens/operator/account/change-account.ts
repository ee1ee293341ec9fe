import { call, type ReplyTo } from '../../../api/client.ts'

type AccountChange = Parameters<typeof call<'patch /operator/v1/accounts/{account_id}'>>[1]['body']

export function changeAccount(
  accountId: string,
  body: AccountChange,
): Promise<ReplyTo<'patch /operator/v1/accounts/{account_id}'>> {
  return call('patch /operator/v1/accounts/{account_id}', {
    params: { account_id: accountId },
    body,
  })
}
