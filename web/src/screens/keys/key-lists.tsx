import { isLiveKey } from '../../api/is-live-key.ts'
import type { OwnKey } from '../../api/own-keys.ts'
import { useServiceNow } from '../../api/use-service-now.ts'
import { writeCount } from '../../format/figures.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { AskedAct } from './key-dialogs.tsx'
import { useEndedColumns } from './use-ended-columns.tsx'
import { useLiveColumns } from './use-live-columns.tsx'
import { keysWords } from './words.ts'

/** Those that can be called with, and folded away those that cannot any more. */
export function KeyLists({
  keys,
  onAct,
}: {
  readonly keys: readonly OwnKey[]
  readonly onAct: (act: AskedAct) => void
}) {
  const nowMs = useServiceNow()
  const live = keys.filter((key) => isLiveKey(key, nowMs))
  const ended = keys.filter((key) => !isLiveKey(key, nowMs))
  return (
    <>
      <Card>{live.length === 0 ? <NoKeys /> : <LiveKeys keys={live} onAct={onAct} />}</Card>
      {ended.length > 0 && <EndedKeys keys={ended} />}
    </>
  )
}

function NoKeys() {
  const words = useWords(keysWords)
  return (
    <EmptyState title={words.empty}>
      <p className="max-w-prose text-soft">{words.emptyText}</p>
      <ButtonLink to="/console/start">{words.firstCall}</ButtonLink>
    </EmptyState>
  )
}

function LiveKeys({
  keys,
  onAct,
}: {
  readonly keys: readonly OwnKey[]
  readonly onAct: (act: AskedAct) => void
}) {
  const words = useWords(keysWords)
  const columns = useLiveColumns(onAct)
  return (
    <div className="flex flex-col gap-4">
      <DataTable caption={words.table} columns={columns} rows={keys} keyOf={({ id }) => id} />
      {keys.some(({ kind }) => kind === 'console') && (
        <p className="max-w-prose text-sm text-soft">{words.playground}</p>
      )}
    </div>
  )
}

function EndedKeys({ keys }: { readonly keys: readonly OwnKey[] }) {
  const words = useWords(keysWords)
  const { locale } = useSpeech()
  const columns = useEndedColumns()
  return (
    <Card>
      <details>
        <summary className="min-h-6 font-medium">
          {words.ended(writeCount(keys.length, locale))}
        </summary>
        <div className="mt-4">
          <DataTable
            caption={words.endedTable}
            columns={columns}
            rows={keys}
            keyOf={({ id }) => id}
          />
        </div>
      </details>
    </Card>
  )
}
