import { useState, type SubmitEvent } from 'react'
import { readEuros } from '../../format/read-euros.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { ProblemNote } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { useSetCeiling } from './use-set-ceiling.ts'
import { limitsWords } from './words.ts'

export function CeilingForm({
  accountId,
  ceiling,
  onSet,
}: {
  readonly accountId: string
  readonly ceiling: string | null
  readonly onSet: (ceiling: string | null) => void
}) {
  const words = useWords(limitsWords)
  const [typed, setTyped] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const [isRemoving, setIsRemoving] = useState(false)
  const setting = useSetCeiling(accountId, (set) => {
    setTyped('')
    setIsRemoving(false)
    onSet(set)
  })
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const euros = readEuros(typed)
    setIsWrong(euros === undefined)
    if (euros !== undefined && !setting.isPending) setting.mutate(euros)
  }
  return (
    <>
      <form noValidate onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label={words.ceilingField}
          hint={words.ceilingHint}
          problem={isWrong ? words.noAmount : undefined}
          value={typed}
          inputMode="decimal"
          autoComplete="off"
          onChange={({ target }) => {
            setTyped(target.value)
            setIsWrong(false)
          }}
        />
        {setting.error && !isRemoving && <ProblemNote problem={setting.error} />}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={setting.isPending}>
            {ceiling === null ? words.set : words.change}
          </Button>
          {ceiling !== null && (
            <Button kind="second" onClick={() => setIsRemoving(true)}>
              {words.remove}
            </Button>
          )}
        </div>
      </form>
      {isRemoving && <RemoveDialog setting={setting} onClose={() => setIsRemoving(false)} />}
    </>
  )
}

function RemoveDialog({
  setting,
  onClose,
}: {
  readonly setting: ReturnType<typeof useSetCeiling>
  readonly onClose: () => void
}) {
  const words = useWords(limitsWords)
  return (
    <FormDialog
      title={words.removeTitle}
      submit={words.remove}
      kind="danger"
      busy={setting.isPending}
      problem={setting.error ?? undefined}
      onSubmit={() => setting.mutate(null)}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </FormDialog>
  )
}
