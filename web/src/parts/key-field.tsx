import { useKeyNames } from '../api/key-names.ts'
import { useWords } from '../words/language.tsx'
import { SelectField } from './field.tsx'
import { partWords } from './words.ts'

/** One of the account's keys, or all of them. */
export function KeyField({
  keyId,
  onChoose,
}: {
  readonly keyId: string | undefined
  readonly onChoose: (keyId: string | undefined) => void
}) {
  const words = useWords(partWords)
  const keys = useKeyNames()
  const isKnown = keyId === undefined || keys.has(keyId)
  return (
    <SelectField
      label={words.key}
      value={keyId ?? ''}
      onChange={({ target }) => onChoose(target.value || undefined)}
    >
      <option value="">{words.allKeys}</option>
      {!isKnown && <option value={keyId}>{keyId}</option>}
      {[...keys.values()].map(({ id, name, lastFour }) => (
        <option key={id} value={id}>{`${name} (…${lastFour})`}</option>
      ))}
    </SelectField>
  )
}
