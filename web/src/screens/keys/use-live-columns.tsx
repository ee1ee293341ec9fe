import type { OwnKey } from '../../api/own-keys.ts'
import { useMay } from '../../api/rights.ts'
import { writeEuros } from '../../format/figures.ts'
import { writeDate, writeMoment } from '../../format/times.ts'
import type { Column } from '../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { KeyActs } from './key-acts.tsx'
import { LastUsedCell, NamedKeyCell } from './key-cells.tsx'
import type { AskedAct } from './key-dialogs.tsx'
import { keysWords } from './words.ts'

export function useLiveColumns(onAct: (act: AskedAct) => void): readonly Column<OwnKey>[] {
  const words = useWords(keysWords)
  const { locale } = useSpeech()
  const euros = (text: string): string => writeEuros(text, locale)
  const mayChange = useMay()('change_keys')
  const columns: Column<OwnKey>[] = [
    { title: words.key, cell: (key) => <NamedKeyCell of={key} /> },
    {
      title: words.created,
      cell: (key) => <span className="whitespace-nowrap">{writeDate(key.created_at, locale)}</span>,
    },
    { title: words.lastUsed, cell: (key) => <LastUsedCell of={key} /> },
    {
      title: words.expires,
      cell: ({ expires_at: atMs }) =>
        atMs === null ? words.neverExpires : writeMoment(atMs, locale),
    },
    {
      title: words.today,
      isFigure: true,
      cell: ({ spent_today_eur: spent, daily_ceiling_eur: ceiling }) =>
        ceiling === null ? euros(spent) : words.spentOf(euros(spent), euros(ceiling)),
    },
  ]
  if (!mayChange) return columns
  return [...columns, { title: words.actions, cell: (key) => <KeyActs of={key} onAct={onAct} /> }]
}
