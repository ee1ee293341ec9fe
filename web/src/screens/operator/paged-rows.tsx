import { useRef, type ReactNode } from 'react'
import { writeCount } from '../../format/figures.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNote, Skeleton } from '../../parts/states.tsx'
import { partWords } from '../../parts/words.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { Pages } from './use-pages.ts'
import { operatorWords } from './words.ts'

/** What of a paged list is there so far, and the way to more of it. */
export function PagedRows<Row>({
  pages,
  empty,
  children,
}: {
  readonly pages: Pages<Row>
  readonly empty: ReactNode
  readonly children: (rows: readonly Row[]) => ReactNode
}) {
  if (pages.data === undefined) {
    if (!pages.error) return <Skeleton lines={6} />
    return <ProblemNote problem={pages.error} onRetry={() => void pages.refetch()} />
  }
  const rows = pages.data.pages.flatMap(({ data }) => data)
  if (rows.length === 0) return empty
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {children(rows)}
      <More pages={pages} count={rows.length} />
    </div>
  )
}

/** Where the last page has come, the button goes and the focus stays here. */
function More<Row>({ pages, count }: { readonly pages: Pages<Row>; readonly count: number }) {
  const { more } = useWords(partWords)
  const words = useWords(operatorWords)
  const { locale } = useSpeech()
  const end = useRef<HTMLParagraphElement>(null)
  async function readMore(): Promise<void> {
    const { hasNextPage, isError } = await pages.fetchNextPage()
    if (!hasNextPage && !isError) end.current?.focus()
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      {pages.hasNextPage && (
        <Button kind="second" busy={pages.isFetchingNextPage} onClick={() => void readMore()}>
          {more}
        </Button>
      )}
      <p ref={end} tabIndex={-1} role="status" className="text-sm text-soft outline-none">
        {words.shown(writeCount(count, locale))} {!pages.hasNextPage && words.allShown}
      </p>
      {pages.isFetchNextPageError && (
        <div className="w-full">
          <ProblemNote problem={pages.error} onRetry={() => void readMore()} />
        </div>
      )}
    </div>
  )
}
