import { call, type ReplyTo } from '../../../api/client.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { AccountLink } from '../account-link.tsx'
import { Moment } from '../moment.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { Actor } from './actor.tsx'
import { AuditDetails } from './audit-details.tsx'
import { auditWords } from './words.ts'

export type AuditEntry = ReplyTo<'get /operator/v1/audit'>['data'][number]

export function AuditList() {
  const words = useWords(auditWords)
  const pages = usePages(['audit'], (cursor, signal) =>
    call('get /operator/v1/audit', { query: { cursor } }, signal),
  )
  const empty = (
    <EmptyState title={words.none}>
      <p>{words.noneText}</p>
    </EmptyState>
  )
  return (
    <PagedRows pages={pages} empty={empty}>
      {(entries) => <AuditTable entries={entries} />}
    </PagedRows>
  )
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const words = useWords(auditWords)
  // A newer service may do what this page has no words for: then by its name.
  const actions: Readonly<Record<string, string>> = words.actions
  return (
    <DataTable
      caption={words.list}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { title: words.at, cell: ({ at }) => <Moment at={at} /> },
        { title: words.who, cell: ({ actor }) => <Actor actor={actor} /> },
        {
          title: words.what,
          cell: ({ action }) => actions[action] ?? <code className="font-mono">{action}</code>,
        },
        {
          title: words.account,
          cell: ({ account_id: id }) => (id === null ? '–' : <AccountLink accountId={id} />),
        },
        { title: words.details, cell: ({ details }) => <AuditDetails details={details} /> },
      ]}
    />
  )
}
