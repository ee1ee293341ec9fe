import { writeSecond } from '../../format/times.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { describeBrowser } from '../account/describe-browser.ts'
import { AuditDetails } from '../operator/audit/audit-details.tsx'
import { auditWords } from '../operator/audit/words.ts'
import type { ActivityEntry } from './activity-query.ts'
import { ObjectLink } from './object-link.tsx'
import { activityWords } from './words.ts'

export function ActivityTable({ rows }: { readonly rows: readonly ActivityEntry[] }) {
  const words = useWords(activityWords)
  return (
    <DataTable
      caption={words.list}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: words.columns.at, cell: (entry) => <Second at={entry.at} /> },
        { title: words.columns.what, cell: (entry) => <Action entry={entry} /> },
        { title: words.columns.who, cell: (entry) => <Who entry={entry} /> },
        { title: words.columns.where, cell: (entry) => <Where entry={entry} /> },
        { title: words.columns.details, cell: ({ details }) => <AuditDetails details={details} /> },
      ]}
    />
  )
}

function Second({ at }: { readonly at: number }) {
  const { locale } = useSpeech()
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={writeSecond(at, locale, 'UTC')}
      className="whitespace-nowrap"
    >
      {writeSecond(at, locale)}
    </time>
  )
}

function Action({ entry }: { readonly entry: ActivityEntry }) {
  // A newer service may do what this page has no words for: then by its name.
  const actions: Readonly<Record<string, string>> = useWords(auditWords).actions
  return (
    <div className="flex min-w-40 flex-col items-start">
      <span>{actions[entry.action] ?? <code className="font-mono">{entry.action}</code>}</span>
      <ObjectLink entry={entry} />
    </div>
  )
}

function Who({ entry: { actor } }: { readonly entry: ActivityEntry }) {
  const { actors } = useWords(activityWords)
  return <span className="wrap-anywhere">{actor.email ?? actors[actor.kind]}</span>
}

function Where({ entry }: { readonly entry: ActivityEntry }) {
  const words = useWords(activityWords)
  if (entry.address === null) return '–'
  return (
    <div className="flex flex-col">
      <span className="whitespace-nowrap">{entry.address}</span>
      <span className="text-soft">{describeBrowser(entry, words)}</span>
    </div>
  )
}
