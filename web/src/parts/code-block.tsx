import { CopyButton } from './copy-button.tsx'

/** Something to run or to keep, as it is, with a way to copy it. */
export function CodeBlock({
  code,
  label,
  copyLabel,
}: {
  readonly code: string
  /** What it is, for whoever cannot see it. */
  readonly label: string
  readonly copyLabel?: string
}) {
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      {/* What scrolls sideways must be reached by the keyboard. */}
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="max-h-96 overflow-auto rounded-lg border border-line bg-paper p-3 text-sm"
      >
        <code className="font-mono">{code}</code>
      </pre>
      <div>
        <CopyButton text={code} {...(copyLabel !== undefined && { label: copyLabel })} />
      </div>
    </div>
  )
}
