import { useState } from 'react'
import { call, Problem } from '../../api/client.ts'
import type { MemberRole } from '../../api/rights.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import { RoleField } from './role-field.tsx'
import { useMemberAct } from './use-member-act.ts'
import { membersWords } from './words.ts'

export interface Invited {
  readonly email: string
  readonly role: MemberRole
}

/** The same call invites and sends again. */
export function invite(accountId: string, body: Invited): Promise<unknown> {
  const params = { account_id: accountId }
  return call('post /console/api/accounts/{account_id}/invitations', { params, body })
}

export function InviteDialog({
  accountId,
  onInvited,
  onClose,
}: {
  readonly accountId: string
  readonly onInvited: (email: string) => void
  readonly onClose: () => void
}) {
  const words = useWords(membersWords)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('developer')
  const address = email.trim()
  const inviting = useMemberAct(
    accountId,
    (invited: Invited) => invite(accountId, invited),
    () => onInvited(address),
  )
  const isNoAddress = inviting.error instanceof Problem && inviting.error.code === 'invalid_request'
  return (
    <FormDialog
      title={words.inviteTitle}
      submit={words.send}
      busy={inviting.isPending}
      problem={isNoAddress ? undefined : (inviting.error ?? undefined)}
      canSubmit={address !== ''}
      onSubmit={() => inviting.mutate({ email: address, role })}
      onClose={onClose}
    >
      <p>{words.inviteText}</p>
      <TextField
        type="email"
        label={words.email}
        autoComplete="off"
        problem={isNoAddress ? words.noAddress : undefined}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <RoleField role={role} onChoose={setRole} />
    </FormDialog>
  )
}
