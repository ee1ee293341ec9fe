import { useState } from 'react'
import type { CreatedKey } from '../../api/own-keys.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { KeepFocus } from '../../parts/keep-focus.tsx'
import { ShownKey } from '../../parts/shown-key.tsx'
import { useWords } from '../../words/language.tsx'
import { NewKeyForm } from './new-key-form.tsx'
import { startWords } from './words.ts'

/** A key that was made here; without its secret once its reader has stored it. */
export interface ShownOwnKey {
  readonly name: string
  readonly ends: string
  readonly key: string | undefined
}

export function MakeKey({
  accountId,
  made,
  onMade,
}: {
  readonly accountId: string
  readonly made: ShownOwnKey | undefined
  readonly onMade: (made: ShownOwnKey) => void
}) {
  const words = useWords(startWords)
  const [wantsAnother, setWantsAnother] = useState(false)
  function keep({ name, key, prefix, last_four: lastFour }: CreatedKey): void {
    setWantsAnother(false)
    onMade({ name, key, ends: `${prefix}…${lastFour}` })
  }
  if (made === undefined || wantsAnother) {
    return <NewKeyForm accountId={accountId} onCreated={keep} />
  }
  if (made.key !== undefined) {
    return (
      <KeepFocus key="shown">
        <ShownKey apiKey={made.key} />
        <div>
          <Button kind="second" onClick={() => onMade({ ...made, key: undefined })}>
            {words.stored}
          </Button>
        </div>
      </KeepFocus>
    )
  }
  return (
    <KeepFocus key="stored">
      <p role="status" className="wrap-anywhere">
        {words.ready(made.name, made.ends)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="second" onClick={() => setWantsAnother(true)}>
          {words.another}
        </Button>
        <ButtonLink kind="second" to="/console/keys">
          {words.toKeys}
        </ButtonLink>
      </div>
    </KeepFocus>
  )
}
