import { QueryCache, QueryClient, MutationCache } from '@tanstack/react-query'
import { Problem } from './client.ts'
import { tellSignedOut } from './signed-out.ts'

const RETRIES = 2

/** What is read is kept for a moment and read anew when somebody comes back to it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: watchForEnd }),
    mutationCache: new MutationCache({ onError: watchForEnd }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => isPassing(error) && failures < RETRIES,
      },
      mutations: { retry: false },
    },
  })
}

/** What may be gone the next moment. What is refused would be refused again. */
function isPassing(error: Error): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 500)
}

function watchForEnd(error: Error): void {
  if (error instanceof Problem && error.code === 'not_signed_in') tellSignedOut()
}
