import type { Member } from '../../api/members.ts'
import { usePerson } from '../../api/own.ts'
import { useMay } from '../../api/rights.ts'
import { writeDate } from '../../format/times.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { roleWords } from '../../parts/role-words.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import { RowAct } from '../../parts/row-act.tsx'
import { membersWords } from './words.ts'

export interface MemberActs {
  readonly onChange: (member: Member) => void
  readonly onRemove: (member: Member) => void
}

export function MemberList({
  members,
  ...acts
}: { readonly members: readonly Member[] } & MemberActs) {
  const words = useWords(membersWords)
  const columns = useColumns(acts)
  return (
    <DataTable
      caption={words.list}
      columns={columns}
      rows={members}
      keyOf={(member) => member.person_id}
    />
  )
}

function useColumns({ onChange, onRemove }: MemberActs): readonly Column<Member>[] {
  const words = useWords(membersWords)
  const { roles } = useWords(roleWords)
  const { locale } = useSpeech()
  const self = usePerson()
  const canChange = useMay()('change_members')
  const columns: Column<Member>[] = [
    {
      title: words.person,
      cell: ({ person_id: personId, email, name }) => (
        <span className="flex min-w-32 flex-col wrap-anywhere">
          {name !== null && <bdi className="font-medium">{name}</bdi>}
          <span className="text-soft">
            {email}
            {personId === self.id && ` (${words.you})`}
          </span>
        </span>
      ),
    },
    {
      title: words.role,
      cell: ({ role }) => <span className="whitespace-nowrap">{roles[role]}</span>,
    },
    {
      title: words.joined,
      cell: ({ joined_at: atMs }) => (
        <span className="whitespace-nowrap">{writeDate(atMs, locale)}</span>
      ),
    },
  ]
  if (!canChange) return columns
  const actions: Column<Member> = {
    title: words.actions,
    cell: (member) => (
      <div className="-my-1 flex gap-1">
        <RowAct
          label={words.changeOf(member.email)}
          text={words.change}
          onClick={() => onChange(member)}
        />
        {member.person_id !== self.id && (
          <RowAct
            danger
            label={words.removeOf(member.email)}
            text={words.remove}
            onClick={() => onRemove(member)}
          />
        )}
      </div>
    ),
  }
  return [...columns, actions]
}
