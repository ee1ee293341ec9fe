import { useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Something that an operator does. What it changes may be told on any screen (an account's money in the
 * audit, a person's role in the navigation), so all that is shown is read anew.
 */
export function useDeed<Given, Result>(run: (given: Given) => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () => void queries.invalidateQueries(),
  })
}
