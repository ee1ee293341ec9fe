import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { TextArea, TextField } from '../../../parts/field.tsx'
import { useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import type { Client, ClientOutcome } from './clients-screen.tsx'
import { KindChoice } from './kind-choice.tsx'
import { readLines } from './read-lines.ts'
import { clientsWords } from './words.ts'

/** Registers an app, or changes one. What kind it is stays as it was chosen. */
export function ClientForm({
  client,
  onDone,
  onClose,
}: {
  readonly client?: Client
  readonly onDone: (outcome: ClientOutcome) => void
  readonly onClose: () => void
}) {
  const words = useWords(clientsWords)
  const [name, setName] = useState(client?.name ?? '')
  const [kind, setKind] = useState<Client['kind']>(client?.kind ?? 'confidential')
  const [text, setText] = useState(client?.redirect_uris.join('\n') ?? '')
  const [isSent, setIsSent] = useState(false)
  const wanted = { name: name.trim(), redirect_uris: readLines(text) }
  const hasUris = wanted.redirect_uris.length > 0
  const save = async (): Promise<ClientOutcome> => {
    if (client) {
      const params = { client_id: client.client_id }
      await call('patch /operator/v1/clients/{client_id}', { params, body: wanted })
      return { sentence: words.changed(wanted.name) }
    }
    const created = await call('post /operator/v1/clients', { body: { ...wanted, kind } })
    return { sentence: words.created(wanted.name), withSecret: created }
  }
  return (
    <DeedDialog
      title={client ? words.changeTitle(client.name) : words.create}
      act={client ? words.save : words.create}
      isReady={() => {
        setIsSent(true)
        return wanted.name !== '' && hasUris
      }}
      run={save}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        problem={isSent && wanted.name === '' ? words.nameMissing : undefined}
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      {!client && <KindChoice kind={kind} onChoose={setKind} />}
      <TextArea
        label={words.redirectUris}
        hint={words.redirectHint}
        problem={isSent && !hasUris ? words.redirectMissing : undefined}
        rows={3}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </DeedDialog>
  )
}
