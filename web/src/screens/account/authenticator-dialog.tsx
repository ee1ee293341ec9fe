import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { people } from '../../api/people.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useWords } from '../../words/language.tsx'
import { problemWords } from './problem-words.ts'
import { QrCode } from './qr-code.tsx'
import { readSecret } from './read-secret.ts'
import { signInWords } from './sign-in-words.ts'
import { sortProblem } from './sort-problem.ts'

/** The secret goes into an authenticator app, and a code comes back that shows that it has it. */
export function AuthenticatorDialog({
  totpUri,
  onConfirmed,
  onClose,
}: {
  readonly totpUri: string
  readonly onConfirmed: () => void
  readonly onClose: () => void
}) {
  const words = useWords(signInWords)
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => people.confirmTwoFactor(code.replaceAll(/\s/g, '')),
    onSuccess: onConfirmed,
  })
  const { fields, note } = sortProblem(confirm.error, useWords(problemWords))
  const { plain, grouped } = readSecret(totpUri)
  return (
    <FormDialog
      title={words.turnOnTitle}
      submit={words.turnOn}
      busy={confirm.isPending}
      problem={note}
      canSubmit={code !== ''}
      onSubmit={() => confirm.mutate()}
      onClose={onClose}
    >
      <p>{words.scan}</p>
      <QrCode text={totpUri} label={words.qrCode} />
      <TextField
        label={words.code}
        problem={fields.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0 grow basis-60">
          <p className="text-sm text-soft">{words.secret}</p>
          <code className="font-mono text-sm wrap-anywhere">{grouped}</code>
        </div>
        <CopyButton text={plain} label={words.copySecret} />
      </div>
    </FormDialog>
  )
}
