import { Notice } from '../../parts/notice.tsx'

/** What was just done, above the rows that it was done to. */
export function DoneNotice({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div className="mb-4">
      <Notice kind="good">{text}</Notice>
    </div>
  )
}
