import { queryOptions } from '@tanstack/react-query'
import { call, Problem } from '../../api/client.ts'

const PATIENCE = 8
const PAUSE_MS = 500

/** What a request cost, as it was booked: of one that was stopped that is a moment later. */
export function receiptQuery(accountId: string, requestId: string) {
  return queryOptions({
    queryKey: ['receipt', accountId, requestId],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/requests/{request_id}',
        { params: { account_id: accountId, request_id: requestId } },
        signal,
      ),
    staleTime: Infinity,
    retry: (failures, error) => failures < PATIENCE && error instanceof Problem && isPassing(error),
    retryDelay: PAUSE_MS,
  })
}

function isPassing({ code, status }: Problem): boolean {
  return code === 'not_found' || status === 0 || status >= 500
}
