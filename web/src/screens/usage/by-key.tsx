import type { Usage } from '../../api/usage.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useFigureColumns } from './figure-columns.ts'
import { usageWords } from './words.ts'

/** The dearest keys; a name leads to the figures of that key alone. */
export function ByKey({
  keys,
  onChoose,
}: {
  readonly keys: Usage['keys']
  readonly onChoose: (keyId: string) => void
}) {
  const words = useWords(usageWords)
  const figures = useFigureColumns()
  return (
    <Card title={words.byKey} aside={<p className="text-sm text-soft">{words.byKeyNote}</p>}>
      <DataTable
        caption={words.byKey}
        rows={keys}
        keyOf={(key) => key.key_id}
        columns={[
          {
            title: words.columns.key,
            cell: ({ key_id: keyId, name, last_four: lastFour }) => (
              <button
                type="button"
                aria-label={words.onlyThisKey(name || words.unnamed)}
                onClick={() => onChoose(keyId)}
                className="flex min-h-6 max-w-80 min-w-32 flex-wrap gap-x-2 text-left wrap-anywhere"
              >
                <span className="text-accent underline underline-offset-4">
                  {name || words.unnamed}
                </span>
                {lastFour && <code className="font-mono text-soft">…{lastFour}</code>}
              </button>
            ),
          },
          ...figures,
        ]}
      />
    </Card>
  )
}
