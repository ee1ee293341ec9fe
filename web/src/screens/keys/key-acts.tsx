import type { OwnKey } from '../../api/own-keys.ts'
import { RowAct } from '../../parts/row-act.tsx'
import { useWords } from '../../words/language.tsx'
import type { AskedAct } from './key-dialogs.tsx'
import { keysWords } from './words.ts'

/** What can be done to a key; each button names the key for whoever hears it alone. */
export function KeyActs({
  of: key,
  onAct,
}: {
  readonly of: OwnKey
  readonly onAct: (act: AskedAct) => void
}) {
  const words = useWords(keysWords)
  // The playground's own can only be revoked.
  const acts =
    key.kind === 'console' ? (['revoke'] as const) : (['change', 'roll', 'revoke'] as const)
  const names = { change: words.changeOf, roll: words.rollOf, revoke: words.revokeOf }
  return (
    <div className="-my-1 flex gap-1">
      {acts.map((kind) => (
        <RowAct
          key={kind}
          label={names[kind](key.name)}
          text={words[kind]}
          danger={kind === 'revoke'}
          onClick={() => onAct({ kind, key })}
        />
      ))}
    </div>
  )
}
