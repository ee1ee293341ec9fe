import { useNow } from '../../../format/use-now.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { useWords } from '../../../words/language.tsx'
import { Euros } from '../euros.tsx'
import { Moment } from '../moment.tsx'
import { RowButton } from '../row-button.tsx'
import { Tag } from '../tag.tsx'
import { operatorWords } from '../words.ts'
import type { ApiKey } from './key-list.tsx'
import { operatorAccountWords } from './words.ts'

/** How soon a key that expires while somebody looks is told to have. */
const EVERY_MS = 10_000

export function KeyTable({
  keys,
  onRevoke,
}: {
  readonly keys: readonly ApiKey[]
  readonly onRevoke: (key: ApiKey) => void
}) {
  const { keys: words } = useWords(operatorAccountWords)
  const { created } = useWords(operatorWords)
  return (
    <DataTable
      caption={words.list}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          title: words.name,
          cell: ({ name }) => <span className="inline-block min-w-40 wrap-anywhere">{name}</span>,
        },
        {
          title: words.key,
          cell: ({ prefix, last_four: lastFour }) => (
            <code className="font-mono whitespace-nowrap">
              {prefix}…{lastFour}
            </code>
          ),
        },
        { title: created, cell: (key) => <Moment at={key.created_at} /> },
        {
          title: words.spentToday,
          isFigure: true,
          cell: (key) => <Euros amount={key.spent_today_eur} />,
        },
        {
          title: words.ceiling,
          isFigure: true,
          cell: ({ daily_ceiling_eur: ceiling }) =>
            ceiling === null ? '–' : <Euros amount={ceiling} />,
        },
        {
          title: words.expires,
          cell: ({ expires_at: at }) => (at === null ? '–' : <Moment at={at} />),
        },
        { title: words.state, cell: (key) => <KeyState of={key} /> },
        {
          title: words.actions,
          cell: (key) =>
            key.revoked_at === null ? (
              <RowButton of={key.name} onClick={() => onRevoke(key)}>
                {words.revoke}
              </RowButton>
            ) : (
              '–'
            ),
        },
      ]}
    />
  )
}

function KeyState({ of: { kind, ...key } }: { readonly of: ApiKey }) {
  const { keys: words } = useWords(operatorAccountWords)
  const nowMs = useNow(EVERY_MS)
  const { revoked_at: revokedAt, expires_at: expiresAt } = key
  if (revokedAt === null) {
    if (expiresAt !== null && expiresAt <= nowMs) return <Tag>{words.expired}</Tag>
    return <Tag kind="good">{kind === 'console' ? words.ofPlayground : words.active}</Tag>
  }
  return (
    <div className="flex flex-col items-start gap-1">
      <Tag>{words.revoked}</Tag>
      <Moment at={revokedAt} />
    </div>
  )
}
