import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Card } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import type { Account } from '../account-queries.ts'
import { DeedDialog } from '../deed-dialog.tsx'
import { changeAccount } from './change-account.ts'
import { operatorAccountWords } from './words.ts'

export function Suspension({ account }: { readonly account: Account }) {
  const { suspension: words } = useWords(operatorAccountWords)
  const [isAsked, setIsAsked] = useState(false)
  const { suspended } = account
  return (
    <Card title={words.title}>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p role="status">{suspended ? words.suspended : words.active}</p>
        <Button kind={suspended ? 'second' : 'danger'} onClick={() => setIsAsked(true)}>
          {suspended ? words.resume : words.suspend}
        </Button>
      </div>
      {isAsked && <SuspensionDialog account={account} onClose={() => setIsAsked(false)} />}
    </Card>
  )
}

function SuspensionDialog({
  account: { id, email, suspended },
  onClose,
}: {
  readonly account: Account
  readonly onClose: () => void
}) {
  const { suspension: words } = useWords(operatorAccountWords)
  return (
    <DeedDialog
      title={suspended ? words.resumeTitle(email) : words.suspendTitle(email)}
      act={suspended ? words.resume : words.suspend}
      kind={suspended ? 'primary' : 'danger'}
      run={() => changeAccount(id, { suspended: !suspended })}
      onClose={onClose}
    >
      <p>{suspended ? words.resumeText : words.suspendText}</p>
    </DeedDialog>
  )
}
