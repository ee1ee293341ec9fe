import { useEffect, useRef } from 'react'
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
  const place = useRef<HTMLDivElement>(null)
  const isPressed = useRef(false)
  const { hasNextPage } = pages
  useEffect(() => {
    // The last page takes the button with it: the focus stays where it was.
    if (isPressed.current && !hasNextPage) place.current?.focus()
  }, [hasNextPage])
  function fetchMore(): void {
    isPressed.current = true
    void pages.fetchNextPage()
  }
  if (pages.isFetchNextPageError && pages.error) {
    return <ProblemNote problem={pages.error} onRetry={fetchMore} />
  }
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {hasNextPage && (
        <Button kind="second" busy={pages.isFetchingNextPage} onClick={fetchMore}>
          {label ?? words.more}
        </Button>
      )}
    </div>
  )
}
