import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query'
import { Problem } from './client.ts'
import { accountsQuery } from './own.ts'
import { tellSignedOut } from './signed-out.ts'
import { STANDING } from './standing.ts'

const RETRIES = 2

/** What is read is kept for a moment and read anew when somebody comes back to it. */
export function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        watchForEnd(error)
        // Who is no member any more finds that the chosen account is not there.
        const isGone = queryKey[0] === STANDING && codeOf(error) === 'not_found'
        if (isGone || codeOf(error) === 'not_permitted') void readRoles()
      },
    }),
    mutationCache: new MutationCache({
      onError(error) {
        watchForEnd(error)
        if (codeOf(error) === 'not_permitted') void readRoles()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => isPassing(error) && failures < RETRIES,
      },
      mutations: { retry: false },
    },
  })
  /** Somebody has changed what one may do: what is shown follows. */
  const readRoles = () => queries.invalidateQueries(accountsQuery)
  return queries
}

function codeOf(error: Error): string | undefined {
  return error instanceof Problem ? error.code : undefined
}

/** What may be gone the next moment. What is refused would be refused again. */
function isPassing(error: Error): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 500)
}

function watchForEnd(error: Error): void {
  if (codeOf(error) === 'not_signed_in') tellSignedOut()
}
