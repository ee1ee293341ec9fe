import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChosenAccount } from '../../api/chosen-account.tsx'
import { membersQuery, type Member } from '../../api/members.ts'
import { usePerson } from '../../api/own.ts'
import { useMay } from '../../api/rights.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { KeepFocus } from '../../parts/keep-focus.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { roleWords } from '../../parts/role-words.ts'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LeaveDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx'
import { MemberList } from './member-list.tsx'
import { ROLES } from './role-field.tsx'
import { membersWords } from './words.ts'

type Asked =
  | { readonly kind: 'invite' | 'leave' }
  | { readonly kind: 'change' | 'remove'; readonly member: Member }

/** Who else belongs to the account, and what they may do in it. */
export function MembersScreen() {
  const words = useWords(membersWords)
  const { account } = useChosenAccount()
  const may = useMay()
  const members = useQuery(membersQuery(account.id))
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<string>()
  return (
    <Page
      title={words.title}
      intro={`${words.account(account.email)} ${words.intro}`}
      actions={
        may('change_members') && (
          <Button onClick={() => setAsked({ kind: 'invite' })}>{words.invite}</Button>
        )
      }
    >
      {done !== undefined && (
        <KeepFocus key={done}>
          <Notice kind="good">{done}</Notice>
        </KeepFocus>
      )}
      <Card title={words.list}>
        <Loaded query={members} lines={4}>
          {({ data }) => (
            <div className="flex flex-col gap-4">
              <MemberList
                members={data}
                onChange={(member) => setAsked({ kind: 'change', member })}
                onRemove={(member) => setAsked({ kind: 'remove', member })}
              />
              <Leave members={data} onLeave={() => setAsked({ kind: 'leave' })} />
            </div>
          )}
        </Loaded>
      </Card>
      {may('see_invitations') && <InvitationsCard accountId={account.id} onDone={setDone} />}
      <RoleCard />
      {asked && (
        <MemberDialogs
          accountId={account.id}
          asked={asked}
          onClose={() => setAsked(undefined)}
          onDone={(text) => {
            setAsked(undefined)
            setDone(text)
          }}
        />
      )}
    </Page>
  )
}

/** Who is alone has nobody to leave the account to. */
function Leave({
  members,
  onLeave,
}: {
  readonly members: readonly Member[]
  readonly onLeave: () => void
}) {
  const words = useWords(membersWords)
  const self = usePerson()
  if (members.length < 2) return null
  const hasOwner = members.some(({ person_id: id, role }) => role === 'owner' && id !== self.id)
  if (!hasOwner) return <p className="max-w-prose text-sm text-soft">{words.lastOwner}</p>
  return (
    <div>
      <Button kind="danger" onClick={onLeave}>
        {words.leave}
      </Button>
    </div>
  )
}

function RoleCard() {
  const words = useWords(membersWords)
  const { roles } = useWords(roleWords)
  return (
    <Card title={words.rolesTitle}>
      <Facts facts={ROLES.map((role) => [roles[role], words.mays[role]] as const)} />
    </Card>
  )
}

function MemberDialogs({
  accountId,
  asked,
  onDone,
  onClose,
}: {
  readonly accountId: string
  readonly asked: Asked
  readonly onDone: (text: string | undefined) => void
  readonly onClose: () => void
}) {
  const words = useWords(membersWords)
  const { roles } = useWords(roleWords)
  switch (asked.kind) {
    case 'invite':
      return (
        <InviteDialog
          accountId={accountId}
          onInvited={(email) => onDone(words.invited(email))}
          onClose={onClose}
        />
      )
    case 'leave':
      return (
        <LeaveDialog accountId={accountId} onLeft={() => onDone(undefined)} onClose={onClose} />
      )
    case 'change': {
      const { member } = asked
      return (
        <RoleDialog
          accountId={accountId}
          member={member}
          onChanged={(role) => onDone(words.changed(member.email, roles[role]))}
          onClose={onClose}
        />
      )
    }
    case 'remove': {
      const { member } = asked
      return (
        <RemoveDialog
          accountId={accountId}
          member={member}
          onRemoved={() => onDone(words.removed(member.email))}
          onClose={onClose}
        />
      )
    }
  }
}
