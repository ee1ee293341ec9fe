import { useMutation, useQueryClient } from '@tanstack/react-query'
import { membersOf } from '../../api/members.ts'
import { accountsQuery } from '../../api/own.ts'

/** Something that is done to the members of an account; one's own role may be another one after it. */
export function useMemberAct<Given>(
  accountId: string,
  run: (given: Given) => Promise<unknown>,
  onDone: () => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: onDone,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: membersOf(accountId) })
      void queries.invalidateQueries(accountsQuery)
    },
  })
}
