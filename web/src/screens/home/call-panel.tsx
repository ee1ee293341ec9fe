import type { Standing } from '../../api/standing.ts'
import { useWords } from '../../words/language.tsx'
import { BlockerNote } from './blocker-note.tsx'
import { MoneyFigures } from './money-figures.tsx'
import { homeWords } from './words.ts'

/** A clear yes or no, the one thing that is in the way, and the money. */
export function CallPanel({
  standing,
  readAtMs,
}: {
  readonly standing: Standing
  readonly readAtMs: number
}) {
  const words = useWords(homeWords)
  const { blocker } = standing
  const look =
    blocker === null
      ? 'border-good bg-good-paper text-good'
      : 'border-danger bg-danger-paper text-danger'
  return (
    <section className="min-w-0 overflow-hidden rounded-xl border border-line bg-card shadow-xs">
      <div className={`flex items-start gap-4 border-l-4 p-4 sm:p-6 ${look}`}>
        <Sign isGood={blocker === null} />
        <div className="min-w-0">
          <div role="status">
            <h2 className="text-xl tracking-tight">
              {blocker === null ? words.canCall : words.cannotCall}
            </h2>
            {blocker === null && <p className="mt-1 text-ink">{words.canCallText}</p>}
          </div>
          {blocker !== null && (
            <BlockerNote blocker={blocker} standing={standing} readAtMs={readAtMs} />
          )}
        </div>
      </div>
      <div className="border-t border-line p-4 sm:p-6">
        <MoneyFigures standing={standing} />
      </div>
    </section>
  )
}

function Sign({ isGood }: { readonly isGood: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className="size-9 shrink-0 fill-none stroke-current"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="10" />
      <path d={isGood ? 'm7.5 12.5 3 3 6-6.5' : 'm8.5 8.5 7 7m0-7-7 7'} />
    </svg>
  )
}
