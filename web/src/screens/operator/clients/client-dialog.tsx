import { call } from '../../../api/client.ts'
import { useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import { NamedDeedDialog } from '../named-deed-dialog.tsx'
import { ClientForm } from './client-form.tsx'
import type { Client, ClientOutcome } from './clients-screen.tsx'
import { clientsWords } from './words.ts'

export type ClientAct =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'rotate' | 'remove'; readonly client: Client }

interface Handlers {
  readonly onDone: (outcome: ClientOutcome) => void
  readonly onClose: () => void
}

export function ClientDialog({ act, ...handlers }: Handlers & { readonly act: ClientAct }) {
  switch (act.kind) {
    case 'create':
      return <ClientForm {...handlers} />
    case 'change':
      return <ClientForm client={act.client} {...handlers} />
    case 'rotate':
      return <RotateDialog client={act.client} {...handlers} />
    case 'remove':
      return <RemoveDialog client={act.client} {...handlers} />
  }
}

function RotateDialog({
  client: { client_id: id, name },
  onDone,
  onClose,
}: Handlers & { readonly client: Client }) {
  const words = useWords(clientsWords)
  return (
    <DeedDialog
      title={words.rotateTitle(name)}
      act={words.rotate}
      kind="danger"
      run={() =>
        call('post /operator/v1/clients/{client_id}/secret', { params: { client_id: id } })
      }
      onDone={(rotated) => onDone({ sentence: words.rotated(name), withSecret: rotated })}
      onClose={onClose}
    >
      <p>{words.rotateText}</p>
    </DeedDialog>
  )
}

function RemoveDialog({
  client: { client_id: id, name },
  onDone,
  onClose,
}: Handlers & { readonly client: Client }) {
  const words = useWords(clientsWords)
  return (
    <NamedDeedDialog
      name={name}
      title={words.removeTitle(name)}
      act={words.remove}
      run={() => call('delete /operator/v1/clients/{client_id}', { params: { client_id: id } })}
      onDone={() => onDone({ sentence: words.removed(name) })}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </NamedDeedDialog>
  )
}
