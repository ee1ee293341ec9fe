import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { useWords } from '../../words/language.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { SettingRow } from './setting-row.tsx'
import { signInWords } from './sign-in-words.ts'

export function PasswordRow({ onDone }: { readonly onDone: (text: string) => void }) {
  const words = useWords(signInWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <SettingRow
        name={words.password}
        value={words.passwordSet}
        actions={
          <Button kind="second" onClick={() => setIsOpen(true)}>
            {words.changePassword}
          </Button>
        }
      />
      {isOpen && (
        <PasswordDialog
          onDone={() => {
            setIsOpen(false)
            onDone(words.passwordChanged)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}
