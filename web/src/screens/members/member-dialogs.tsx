import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { Member } from '../../api/members.ts'
import type { MemberRole } from '../../api/rights.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { RoleField } from './role-field.tsx'
import { useMemberAct } from './use-member-act.ts'
import { membersWords } from './words.ts'

interface OfMember {
  readonly accountId: string
  readonly member: Member
  readonly onClose: () => void
}

const placeOf = (accountId: string, member: Member) => ({
  account_id: accountId,
  member_id: member.person_id,
})

export function RoleDialog({
  accountId,
  member,
  onChanged,
  onClose,
}: OfMember & { readonly onChanged: (role: MemberRole) => void }) {
  const words = useWords(membersWords)
  const [role, setRole] = useState(member.role)
  const changing = useMemberAct(
    accountId,
    (body: { readonly role: MemberRole }) =>
      call('patch /console/api/accounts/{account_id}/members/{member_id}', {
        params: placeOf(accountId, member),
        body,
      }),
    () => onChanged(role),
  )
  return (
    <FormDialog
      title={words.changeOf(member.email)}
      submit={words.save}
      busy={changing.isPending}
      problem={changing.error ?? undefined}
      onSubmit={() => changing.mutate({ role })}
      onClose={onClose}
    >
      <RoleField role={role} onChoose={setRole} />
    </FormDialog>
  )
}

export function RemoveDialog({
  accountId,
  member,
  onRemoved,
  onClose,
}: OfMember & { readonly onRemoved: () => void }) {
  const words = useWords(membersWords)
  const removing = useMemberAct(
    accountId,
    () =>
      call('delete /console/api/accounts/{account_id}/members/{member_id}', {
        params: placeOf(accountId, member),
      }),
    onRemoved,
  )
  return (
    <FormDialog
      title={words.removeTitle(member.email)}
      submit={words.remove}
      kind="danger"
      busy={removing.isPending}
      problem={removing.error ?? undefined}
      onSubmit={() => removing.mutate(undefined)}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </FormDialog>
  )
}

export function LeaveDialog({
  accountId,
  onLeft,
  onClose,
}: Omit<OfMember, 'member'> & { readonly onLeft: () => void }) {
  const words = useWords(membersWords)
  const leaving = useMemberAct(
    accountId,
    () =>
      call('delete /console/api/accounts/{account_id}/membership', {
        params: { account_id: accountId },
      }),
    onLeft,
  )
  return (
    <FormDialog
      title={words.leaveTitle}
      submit={words.leave}
      kind="danger"
      busy={leaving.isPending}
      problem={leaving.error ?? undefined}
      onSubmit={() => leaving.mutate(undefined)}
      onClose={onClose}
    >
      <p>{words.leaveText}</p>
    </FormDialog>
  )
}
