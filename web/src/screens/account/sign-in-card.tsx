import { useState } from 'react'
import { usePerson, type Person } from '../../api/own.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import type { Translation } from '../../words/define-words.ts'
import { useWords } from '../../words/language.tsx'
import { DoneNotice } from './done-notice.tsx'
import { PasswordRow } from './password-row.tsx'
import { SettingRow } from './setting-row.tsx'
import { signInWords } from './sign-in-words.ts'
import { TurnOffDialog } from './turn-off-dialog.tsx'
import { TwoFactorDialog, type TwoFactorGoal } from './two-factor-dialog.tsx'

/** The password, and what is asked besides it. */
export function SignInCard() {
  const words = useWords(signInWords)
  const person = usePerson()
  const [open, setOpen] = useState<TwoFactorGoal | 'turn-off'>()
  const [done, setDone] = useState<string>()
  const close = (): void => setOpen(undefined)
  function finish(text: string): void {
    close()
    setDone(text)
  }
  return (
    <Card title={words.title}>
      <DoneNotice text={done} />
      <ul>
        <PasswordRow onDone={setDone} />
        <SettingRow
          name={words.twoFactor}
          value={describeTwoFactor(person, words)}
          actions={
            person.has_password && <TwoFactorActions isOn={person.two_factor} onOpen={setOpen} />
          }
        />
      </ul>
      {(open === 'turn-on' || open === 'new-codes') && (
        <TwoFactorDialog
          goal={open}
          onDone={() => finish(open === 'turn-on' ? words.nowOn : words.codesRenewed)}
          onClose={close}
        />
      )}
      {open === 'turn-off' && <TurnOffDialog onDone={() => finish(words.nowOff)} onClose={close} />}
    </Card>
  )
}

function describeTwoFactor(
  { two_factor: isOn, has_password: hasPassword }: Person,
  words: Translation<(typeof signInWords)['en']>,
): string {
  if (isOn) return words.twoFactorOn
  return hasPassword ? words.twoFactorOff : words.twoFactorNeedsPassword
}

function TwoFactorActions({
  isOn,
  onOpen,
}: {
  readonly isOn: boolean
  readonly onOpen: (what: TwoFactorGoal | 'turn-off') => void
}) {
  const words = useWords(signInWords)
  if (!isOn) {
    return (
      <Button kind="second" onClick={() => onOpen('turn-on')}>
        {words.turnOn}
      </Button>
    )
  }
  return (
    <>
      <Button kind="second" onClick={() => onOpen('new-codes')}>
        {words.newCodes}
      </Button>
      <Button kind="danger" onClick={() => onOpen('turn-off')}>
        {words.turnOff}
      </Button>
    </>
  )
}
