import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { accountsQuery } from '../../api/own.ts'
import { standingQuery } from '../../api/standing.ts'

/** Sets the daily ceiling, or takes it away by null; done once the screen has what it is now. */
export function useSetCeiling(accountId: string, onSet: (ceiling: string | null) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ceiling: string | null) =>
      call('patch /console/api/accounts/{account_id}', {
        params: { account_id: accountId },
        body: { daily_ceiling_eur: ceiling },
      }),
    async onSuccess({ daily_ceiling_eur: ceiling }) {
      await Promise.all(
        [standingQuery(accountId).queryKey, accountsQuery.queryKey].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      )
      onSet(ceiling)
    },
  })
}
