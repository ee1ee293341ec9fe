import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../../api/people.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { canHavePasskeys } from './create-passkey.ts'
import { DoneNotice } from './done-notice.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { passkeysQuery } from './passkeys-query.ts'
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'
import { signInWords } from './sign-in-words.ts'

interface Open {
  readonly what: 'rename' | 'remove'
  readonly passkey: Passkey
}

export function PasskeysCard() {
  const words = useWords(signInWords)
  const passkeys = useQuery(passkeysQuery)
  const [open, setOpen] = useState<Open | 'add'>()
  const [done, setDone] = useState<string>()
  const close = (): void => setOpen(undefined)
  function finish(text: string): void {
    close()
    setDone(text)
  }
  return (
    <Card title={words.passkeys}>
      <p className="mb-4 max-w-prose text-soft">{words.passkeysText}</p>
      <DoneNotice text={done} />
      <Loaded query={passkeys} lines={2}>
        {(all) => (
          <>
            {all.length === 0 && <EmptyState title={words.noPasskeys} />}
            <ul>
              {all.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onOpen={(what) => setOpen({ what, passkey })}
                />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <div className="mt-4">
        {canHavePasskeys() ? (
          <Button onClick={() => setOpen('add')}>{words.addPasskey}</Button>
        ) : (
          <p className="text-sm text-soft">{words.passkeysNowhere}</p>
        )}
      </div>
      <OpenDialog open={open} onDone={finish} onClose={close} />
    </Card>
  )
}

function OpenDialog({
  open,
  onDone,
  onClose,
}: {
  readonly open: Open | 'add' | undefined
  readonly onDone: (text: string) => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  if (open === undefined) return null
  if (open === 'add') {
    return <AddPasskeyDialog onDone={() => onDone(words.passkeyAdded)} onClose={onClose} />
  }
  const Asked = open.what === 'rename' ? RenamePasskeyDialog : RemovePasskeyDialog
  const told = open.what === 'rename' ? words.passkeyRenamed : words.passkeyRemoved
  return <Asked passkey={open.passkey} onDone={() => onDone(told)} onClose={onClose} />
}
