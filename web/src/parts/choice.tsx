import { useId, type ReactNode } from 'react'

/** A few ways to see something, all in view, of which one is taken. */
export function Choice<Value extends string>({
  legend,
  isLegendHidden = false,
  value,
  options,
  onChoose,
}: {
  readonly legend: string
  /** Where what is to be chosen says it all to whoever sees it. */
  readonly isLegendHidden?: boolean
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly onChoose: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className={isLegendHidden ? 'sr-only' : 'mb-1 font-medium'}>{legend}</legend>
      <div className="flex flex-wrap gap-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex min-h-10 cursor-pointer items-center rounded-lg border border-line px-3 py-1.5 hover:bg-tint has-checked:border-accent has-checked:bg-tint has-checked:font-semibold has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
              // Unseen, yet as big as what is seen: whoever points at one, points at the other.
              className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
