/** A button in a row; it names whom it is about for whoever hears it alone. */
export function RowAct({
  label,
  text,
  danger = false,
  disabled = false,
  onClick,
}: {
  readonly label: string
  readonly text: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className={`min-h-8 rounded-lg px-2 font-medium whitespace-nowrap underline underline-offset-4 hover:bg-tint disabled:opacity-60 ${danger ? 'text-danger' : 'text-accent'}`}
    >
      {text}
    </button>
  )
}
