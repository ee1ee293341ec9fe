import { KeepFocus } from '../../parts/keep-focus.tsx'
import { Notice } from '../../parts/notice.tsx'

/** What was just done, above the rows that it was done to. */
export function DoneNotice({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    // The button that began it may have gone with what it was about, and the focus with it.
    <KeepFocus key={text}>
      <div className="mb-4">
        <Notice kind="good">{text}</Notice>
      </div>
    </KeepFocus>
  )
}
