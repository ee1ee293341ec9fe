import { useState } from 'react'
import { DataTable } from '../../../parts/data-table.tsx'
import { useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { Moment } from '../moment.tsx'
import { RowButton } from '../row-button.tsx'
import type { OperatorPerson } from '../person-queries.ts'
import { ShownOnceDialog } from '../shown-once-dialog.tsx'
import { Tag } from '../tag.tsx'
import { operatorWords } from '../words.ts'
import { PersonDialog, type PersonAct } from './person-dialog.tsx'
import { peopleWords } from './words.ts'

interface Chosen {
  readonly person: OperatorPerson
  readonly act: PersonAct
}

export function PersonTable({
  people,
  onDone,
}: {
  readonly people: readonly OperatorPerson[]
  readonly onDone: (sentence: string) => void
}) {
  const words = useWords(peopleWords)
  const { plan, created, yes, no } = useWords(operatorWords)
  const [chosen, setChosen] = useState<Chosen>()
  const [made, setMade] = useState<{ readonly email: string; readonly url: string }>()
  return (
    <>
      <DataTable
        caption={words.list}
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          { title: words.email, cell: (person) => <Whoever person={person} /> },
          { title: words.role, cell: ({ role }) => <Role role={role} /> },
          { title: plan, cell: (person) => person.plan },
          { title: words.twoFactor, cell: (person) => (person.two_factor ? yes : no) },
          { title: created, cell: (person) => <Moment at={person.created_at} /> },
          {
            title: words.actions,
            cell: (person) => (
              <PersonActs person={person} onAct={(act) => setChosen({ person, act })} />
            ),
          },
        ]}
      />
      {chosen && (
        <PersonDialog
          {...chosen}
          onDone={(sentence, url) => {
            onDone(sentence)
            if (url !== undefined) setMade({ email: chosen.person.email, url })
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
      {made && (
        <ShownOnceDialog
          title={words.linkOf(made.email)}
          label={words.link}
          secret={made.url}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}

/** Where there are accounts of theirs, the address leads to them. */
function Whoever({ person }: { readonly person: OperatorPerson }) {
  const words = useWords(peopleWords)
  return (
    <div className="flex min-w-48 flex-col items-start gap-1">
      <TextLink
        to="/console/operator/accounts"
        search={{ email: person.email }}
        title={words.accounts}
      >
        {person.email}
      </TextLink>
      {person.name !== null && (
        <p className="line-clamp-2 wrap-anywhere text-soft">{person.name}</p>
      )}
      {!person.email_verified && <Tag kind="warn">{words.unconfirmed}</Tag>}
    </div>
  )
}

function Role({ role }: { readonly role: OperatorPerson['role'] }) {
  const words = useWords(peopleWords)
  return <Tag kind={role === 'operator' ? 'good' : 'plain'}>{words.roles[role]}</Tag>
}

function PersonActs({
  person: { role, email },
  onAct,
}: {
  readonly person: OperatorPerson
  readonly onAct: (act: PersonAct) => void
}) {
  const words = useWords(peopleWords)
  const change = role === 'operator' ? 'demote' : 'promote'
  return (
    <div className="flex flex-col items-start gap-1">
      <RowButton of={email} onClick={() => onAct(change)}>
        {words[change]}
      </RowButton>
      <RowButton of={email} onClick={() => onAct('link')}>
        {words.link}
      </RowButton>
      <RowButton of={email} onClick={() => onAct('signOut')}>
        {words.signOut}
      </RowButton>
    </div>
  )
}
