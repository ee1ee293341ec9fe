import { useState } from 'react'
import { usePerson } from '../../api/own.ts'
import { writeDate } from '../../format/times.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { DoneNotice } from './done-notice.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { SettingRow } from './setting-row.tsx'
import { accountWords } from './words.ts'

export function ProfileCard() {
  const words = useWords(accountWords)
  const { locale } = useSpeech()
  const person = usePerson()
  const [open, setOpen] = useState<'name' | 'email'>()
  const [done, setDone] = useState<string>()
  const close = (): void => setOpen(undefined)
  function finish(text: string): void {
    close()
    setDone(text)
  }
  return (
    <Card title={words.profile}>
      <DoneNotice text={done} />
      <ul>
        <SettingRow
          name={words.name}
          value={<bdi>{person.name ?? '–'}</bdi>}
          actions={
            <Button kind="second" aria-label={words.changeName} onClick={() => setOpen('name')}>
              {words.change}
            </Button>
          }
        />
        <SettingRow
          name={words.email}
          value={person.email}
          actions={
            <Button kind="second" aria-label={words.changeEmail} onClick={() => setOpen('email')}>
              {words.change}
            </Button>
          }
        />
        <SettingRow name={words.plan} value={words.plans[person.plan]} />
        <SettingRow name={words.memberSince} value={writeDate(person.created_at, locale)} />
      </ul>
      {open === 'name' && (
        <NameDialog person={person} onDone={() => finish(words.nameChanged)} onClose={close} />
      )}
      {open === 'email' && (
        <EmailDialog
          person={person}
          onDone={() => finish(words.emailSent(person.email))}
          onClose={close}
        />
      )}
    </Card>
  )
}
