import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { Loaded } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { SignOutDialog } from '../people/person-dialog.tsx'
import { peopleWords } from '../people/words.ts'
import { personOfEmailQuery, type OperatorPerson } from '../person-queries.ts'
import { operatorWords } from '../words.ts'
import { operatorAccountWords } from './words.ts'

/** Whose account it is. */
export function Owner({ email }: { readonly email: string }) {
  const { owner: words } = useWords(operatorAccountWords)
  const person = useQuery(personOfEmailQuery(email))
  return (
    <Card title={words.title}>
      <Loaded query={person}>
        {(found) => (found ? <KnownOwner person={found} /> : <p>{words.gone}</p>)}
      </Loaded>
    </Card>
  )
}

function KnownOwner({ person }: { readonly person: OperatorPerson }) {
  const { owner: words } = useWords(operatorAccountWords)
  const { roles } = useWords(peopleWords)
  const { yes, no } = useWords(operatorWords)
  const [isAsked, setIsAsked] = useState(false)
  const [done, setDone] = useState<string>()
  return (
    <div className="flex min-w-0 flex-col items-start gap-4">
      {done !== undefined && (
        <Notice kind="good">
          <p className="wrap-anywhere">{done}</p>
        </Notice>
      )}
      <Facts
        facts={[
          [words.role, roles[person.role]],
          [words.confirmed, person.email_verified ? yes : no],
          [words.twoFactor, person.two_factor ? yes : no],
        ]}
      />
      <div className="flex flex-wrap items-center gap-4">
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          {words.signOut}
        </Button>
        <TextLink to="/console/operator/people" search={{ email: person.email }}>
          {words.all}
        </TextLink>
      </div>
      {isAsked && (
        <SignOutDialog person={person} onDone={setDone} onClose={() => setIsAsked(false)} />
      )}
    </div>
  )
}
