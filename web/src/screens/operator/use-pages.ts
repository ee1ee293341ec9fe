import { useInfiniteQuery } from '@tanstack/react-query'

export interface PageOf<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/**
 * A list that the service gives page by page. `key` names it below "operator"; an empty cursor asks for
 * the first page.
 */
export function usePages<Row>(
  key: readonly unknown[],
  readPage: (cursor: string, signal: AbortSignal) => Promise<PageOf<Row>>,
) {
  return useInfiniteQuery({
    queryKey: ['operator', ...key],
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
}

export type Pages<Row> = ReturnType<typeof usePages<Row>>
