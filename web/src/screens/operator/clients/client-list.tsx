import { call } from '../../../api/client.ts'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import type { ClientAct } from './client-dialog.tsx'
import { ClientTable } from './client-table.tsx'
import { clientsWords } from './words.ts'

const COMMAND =
  'npx parley client create --name "Example Chat" --kind confidential \\\n' +
  '  --redirect-uri https://chat.example.com/callback'

export function ClientList({ onAct }: { readonly onAct: (act: ClientAct) => void }) {
  const words = useWords(clientsWords)
  const pages = usePages(['clients'], (cursor, signal) =>
    call('get /operator/v1/clients', { query: { cursor } }, signal),
  )
  const empty = (
    <EmptyState title={words.none}>
      <p>{words.noneText}</p>
      <CodeBlock code={COMMAND} label={words.command} />
    </EmptyState>
  )
  return (
    <PagedRows pages={pages} empty={empty}>
      {(clients) => <ClientTable clients={clients} onAct={onAct} />}
    </PagedRows>
  )
}
