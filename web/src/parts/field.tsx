import { useId, type ComponentProps, type ReactNode } from 'react'

const INPUT =
  'min-h-10 w-full min-w-0 rounded-lg border border-edge bg-card px-3 py-2 text-ink placeholder:text-soft aria-invalid:border-danger'

interface Described {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** What is wrong with what was given, in words. */
  readonly problem?: string | undefined
}

/** A labelled control with its hint and its problem, told to whoever cannot see them too. */
function Field({
  label,
  hint,
  problem,
  children,
}: Described & {
  readonly children: (control: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': boolean
  }) => ReactNode
}) {
  const id = useId()
  const notes = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`]
  const describedBy = notes.filter((note) => note !== false).join(' ')
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': problem !== undefined,
      })}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-sm font-medium text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hint, problem, ...input }: Described & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => <input {...input} {...control} className={INPUT} />}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  problem,
  ...input
}: Described & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => <textarea {...input} {...control} className={INPUT} />}
    </Field>
  )
}

export function SelectField({
  label,
  hint,
  problem,
  children,
  ...input
}: Described & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <select {...input} {...control} className={INPUT}>
          {children}
        </select>
      )}
    </Field>
  )
}

export function CheckField({ label, hint, ...input }: Described & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-6 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-soft">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
