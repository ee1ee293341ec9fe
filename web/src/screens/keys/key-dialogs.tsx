import type { CreatedKey, OwnKey } from '../../api/own-keys.ts'
import { useWords } from '../../words/language.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { CreatedDialog } from './created-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RollDialog } from './roll-dialog.tsx'
import { keysWords } from './words.ts'

/** What is being done, to which key. */
export type AskedAct =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'roll' | 'revoke'; readonly key: OwnKey }
  | { readonly kind: 'show'; readonly created: CreatedKey; readonly done: string }

export interface ActProps {
  readonly accountId: string
  readonly onClose: () => void
}

/** The dialog of the act that is under way. */
export function KeyDialogs({
  accountId,
  act,
  onAct,
  onDone,
}: {
  readonly accountId: string
  readonly act: AskedAct
  readonly onAct: (act: AskedAct | undefined) => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
}) {
  const words = useWords(keysWords)
  const given = { accountId, onClose: () => onAct(undefined) }
  switch (act.kind) {
    case 'create':
      return (
        <CreateDialog
          {...given}
          onCreated={(created) =>
            onAct({ kind: 'show', created, done: words.nowReady(created.name) })
          }
        />
      )
    case 'show':
      return <CreatedDialog created={act.created} onClose={() => onDone(act.done)} />
    case 'change':
      return (
        <ChangeDialog
          {...given}
          of={act.key}
          onChanged={({ name }) => onDone(words.changed(name))}
        />
      )
    case 'roll':
      return (
        <RollDialog
          {...given}
          of={act.key}
          onRolled={(created) => onAct({ kind: 'show', created, done: words.rolled(created.name) })}
        />
      )
    case 'revoke':
      return (
        <RevokeDialog
          {...given}
          of={act.key}
          onRevoked={() => onDone(words.revoked(act.key.name))}
        />
      )
  }
}
