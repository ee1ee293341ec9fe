import { call } from '../../../api/client.ts'
import { usePerson } from '../../../api/own.ts'
import { Notice } from '../../../parts/notice.tsx'
import { useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import type { OperatorPerson } from '../person-queries.ts'
import { LinkDialog } from './link-dialog.tsx'
import { peopleWords } from './words.ts'

export type PersonAct = 'promote' | 'demote' | 'link' | 'signOut'

interface PersonDialogProps {
  readonly person: OperatorPerson
  readonly act: PersonAct
  /** Told what was done, and shown what is to be seen this once. */
  readonly onDone: (sentence: string, secret?: string) => void
  readonly onClose: () => void
}

export function PersonDialog({ act, ...rest }: PersonDialogProps) {
  switch (act) {
    case 'promote':
      return <PromoteDialog {...rest} />
    case 'demote':
      return <DemoteDialog {...rest} />
    case 'link':
      return <LinkDialog {...rest} />
    case 'signOut':
      return <SignOutDialog {...rest} />
  }
}

type ActProps = Omit<PersonDialogProps, 'act'>

function PromoteDialog({ person, onDone, onClose }: ActProps) {
  const words = useWords(peopleWords)
  return (
    <DeedDialog
      title={words.promoteTitle(person.email)}
      act={words.promote}
      run={() => changeRole(person.id, 'operator')}
      onDone={() => onDone(words.promoted(person.email))}
      onClose={onClose}
    >
      <p>{words.promoteText}</p>
      {!person.two_factor && <Notice kind="warn">{words.promoteTwoFactor}</Notice>}
    </DeedDialog>
  )
}

function DemoteDialog({ person, onDone, onClose }: ActProps) {
  const words = useWords(peopleWords)
  const { id: ownId } = usePerson()
  return (
    <DeedDialog
      title={words.demoteTitle(person.email)}
      act={words.demote}
      kind="danger"
      run={() => changeRole(person.id, 'customer')}
      onDone={() => onDone(words.demoted(person.email))}
      onClose={onClose}
    >
      <p>{words.demoteText}</p>
      {person.id === ownId && <Notice kind="warn">{words.demoteSelf}</Notice>}
    </DeedDialog>
  )
}

export function SignOutDialog({
  person,
  onDone,
  onClose,
}: Omit<ActProps, 'person'> & { readonly person: Pick<OperatorPerson, 'id' | 'email'> }) {
  const words = useWords(peopleWords)
  return (
    <DeedDialog
      title={words.signOutTitle(person.email)}
      act={words.signOut}
      kind="danger"
      run={() =>
        call('post /operator/v1/people/{person_id}/sign-out', { params: { person_id: person.id } })
      }
      onDone={() => onDone(words.signedOut(person.email))}
      onClose={onClose}
    >
      <p>{words.signOutText}</p>
    </DeedDialog>
  )
}

function changeRole(personId: string, role: OperatorPerson['role']) {
  return call('patch /operator/v1/people/{person_id}', {
    params: { person_id: personId },
    body: { role },
  })
}
