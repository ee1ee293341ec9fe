import { useWords } from '../../words/language.tsx'
import type { ResultTurn } from './conversation.ts'
import { PlainBlock } from './plain-block.tsx'
import { playgroundWords } from './words.ts'

/** What was given as a function's result. */
export function ResultView({ result: { call, content } }: { readonly result: ResultTurn }) {
  const words = useWords(playgroundWords)
  const label = words.result(call.function.name)
  return (
    <div className="flex w-[85%] min-w-0 flex-col gap-1 self-end">
      <p className="text-sm font-medium wrap-anywhere">{label}</p>
      <PlainBlock label={label} text={content} />
    </div>
  )
}
