import { DataTable } from '../../../parts/data-table.tsx'
import { useWords } from '../../../words/language.tsx'
import { Moment } from '../moment.tsx'
import { RowButton } from '../row-button.tsx'
import { operatorWords } from '../words.ts'
import type { ClientAct } from './client-dialog.tsx'
import type { Client } from './clients-screen.tsx'
import { clientsWords } from './words.ts'

export function ClientTable({
  clients,
  onAct,
}: {
  readonly clients: readonly Client[]
  readonly onAct: (act: ClientAct) => void
}) {
  const words = useWords(clientsWords)
  const { created } = useWords(operatorWords)
  return (
    <DataTable
      caption={words.list}
      rows={clients}
      keyOf={({ client_id: id }) => id}
      columns={[
        { title: words.name, cell: (client) => <NameAndId client={client} /> },
        { title: words.kind, cell: ({ kind }) => words.kinds[kind] },
        { title: words.redirectUris, cell: (client) => <RedirectUris of={client} /> },
        { title: created, cell: (client) => <Moment at={client.created_at} /> },
        { title: words.actions, cell: (client) => <ClientActs client={client} onAct={onAct} /> },
      ]}
    />
  )
}

function NameAndId({ client: { name, client_id: id } }: { readonly client: Client }) {
  return (
    <div className="min-w-48">
      <p className="wrap-anywhere font-medium">{name}</p>
      <code className="font-mono text-xs wrap-anywhere text-soft">{id}</code>
    </div>
  )
}

function RedirectUris({ of: { redirect_uris: uris } }: { readonly of: Client }) {
  return (
    <ul className="min-w-56">
      {uris.map((uri) => (
        <li key={uri} className="wrap-anywhere">
          {uri}
        </li>
      ))}
    </ul>
  )
}

function ClientActs({
  client,
  onAct,
}: {
  readonly client: Client
  readonly onAct: (act: ClientAct) => void
}) {
  const words = useWords(clientsWords)
  const kinds =
    client.kind === 'confidential'
      ? (['change', 'rotate', 'remove'] as const)
      : (['change', 'remove'] as const)
  return (
    <div className="flex flex-col items-start gap-1">
      {kinds.map((kind) => (
        <RowButton key={kind} of={client.name} onClick={() => onAct({ kind, client })}>
          {words[kind]}
        </RowButton>
      ))}
    </div>
  )
}
