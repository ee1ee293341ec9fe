import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { ProblemNote } from './states.tsx'
import { partWords } from './words.ts'

interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly error: Error | null
  fetchNextPage(): Promise<unknown>
}

/** The next page of a list; where it fails the pages before it stay. */
export function MoreButton({ pages, label }: { readonly pages: Pages; readonly label?: string }) {
  const words = useWords(partWords)
  const fetchMore = (): void => void pages.fetchNextPage()
  if (pages.isFetchNextPageError && pages.error) {
    return <ProblemNote problem={pages.error} onRetry={fetchMore} />
  }
  if (!pages.hasNextPage) return null
  return (
    <div>
      <Button kind="second" busy={pages.isFetchingNextPage} onClick={fetchMore}>
        {label ?? words.more}
      </Button>
    </div>
  )
}
