/** How much of something is used or reached, with the words beside it that say so. */
export function Meter({
  label,
  text,
  part,
  kind = 'accent',
}: {
  readonly label: string
  readonly text: string
  /** 0 to 1. */
  readonly part: number
  readonly kind?: 'accent' | 'warn' | 'danger'
}) {
  const fills = { accent: 'fill-accent', warn: 'fill-warn', danger: 'fill-danger' }
  const width = Math.round(Math.min(1, Math.max(0, part)) * 1000) / 10
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap justify-between gap-x-4">
        <span>{label}</span>
        <span className="tabular-nums">{text}</span>
      </div>
      {/* The words above say it already. */}
      <svg
        aria-hidden="true"
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        className="h-2 w-full overflow-hidden rounded-full"
      >
        <rect width="100" height="2" className="fill-line" />
        <rect width={width} height="2" className={fills[kind]} />
      </svg>
    </div>
  )
}
