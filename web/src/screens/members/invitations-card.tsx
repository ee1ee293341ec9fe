import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { invitationsQuery, type Invitation } from '../../api/members.ts'
import { useMay } from '../../api/rights.ts'
import { writeDate } from '../../format/times.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { roleWords } from '../../parts/role-words.ts'
import { Loaded, ProblemNote } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { invite } from './invite-dialog.tsx'
import { RowAct } from '../../parts/row-act.tsx'
import { useMemberAct } from './use-member-act.ts'
import { membersWords } from './words.ts'

/** Who was asked and has not accepted. */
export function InvitationsCard({
  accountId,
  onDone,
}: {
  readonly accountId: string
  readonly onDone: (text: string) => void
}) {
  const words = useWords(membersWords)
  const invitations = useQuery(invitationsQuery(accountId))
  const sending = useMemberAct(
    accountId,
    ({ email, role }: Invitation) =>
      invite(accountId, { email, role }).then(() => onDone(words.invited(email))),
    () => undefined,
  )
  const withdrawing = useMemberAct(
    accountId,
    ({ id, email }: Invitation) =>
      call('delete /console/api/accounts/{account_id}/invitations/{invitation_id}', {
        params: { account_id: accountId, invitation_id: id },
      }).then(() => onDone(words.withdrawn(email))),
    () => undefined,
  )
  const columns = useColumns({
    isBusy: sending.isPending || withdrawing.isPending,
    onSend: (one) => sending.mutate(one),
    onWithdraw: (one) => withdrawing.mutate(one),
  })
  const problem = sending.error ?? withdrawing.error
  return (
    <Card title={words.pending}>
      <div className="flex flex-col gap-4">
        {problem && <ProblemNote problem={problem} />}
        <Loaded query={invitations}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="text-soft">{words.noPending}</p>
            ) : (
              <DataTable
                caption={words.pending}
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </div>
    </Card>
  )
}

function useColumns({
  isBusy,
  onSend,
  onWithdraw,
}: {
  readonly isBusy: boolean
  readonly onSend: (invitation: Invitation) => void
  readonly onWithdraw: (invitation: Invitation) => void
}): readonly Column<Invitation>[] {
  const words = useWords(membersWords)
  const { roles } = useWords(roleWords)
  const { locale } = useSpeech()
  const canChange = useMay()('change_members')
  const columns: Column<Invitation>[] = [
    { title: words.person, cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
    { title: words.role, cell: ({ role }) => roles[role] },
    {
      title: words.until,
      cell: ({ expires_at: atMs }) => (
        <span className="whitespace-nowrap">{writeDate(atMs, locale)}</span>
      ),
    },
  ]
  if (!canChange) return columns
  const actions: Column<Invitation> = {
    title: words.actions,
    cell: (one) => (
      <div className="-my-1 flex gap-1">
        <RowAct
          label={words.againOf(one.email)}
          text={words.again}
          disabled={isBusy}
          onClick={() => onSend(one)}
        />
        <RowAct
          danger
          label={words.withdrawOf(one.email)}
          text={words.withdraw}
          disabled={isBusy}
          onClick={() => onWithdraw(one)}
        />
      </div>
    ),
  }
  return [...columns, actions]
}
