import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keysOf } from '../../api/own-keys.ts'

/** Something that is done to the keys of an account: whatever shows them is asked anew. */
export function useKeyAct<Given, Result>(
  accountId: string,
  run: (given: Given) => Promise<Result>,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () => void queries.invalidateQueries({ queryKey: keysOf(accountId) }),
  })
}
