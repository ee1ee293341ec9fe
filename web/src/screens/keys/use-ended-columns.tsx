import type { OwnKey } from '../../api/own-keys.ts'
import { writeMoment } from '../../format/times.ts'
import type { Column } from '../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { LastUsedCell, NamedKeyCell } from './key-cells.tsx'
import { keysWords } from './words.ts'

export function useEndedColumns(): readonly Column<OwnKey>[] {
  const words = useWords(keysWords)
  const { locale } = useSpeech()
  const describeEnd = ({ revoked_at: revokedAt, expires_at: expiresAt }: OwnKey): string =>
    revokedAt === null
      ? words.expiredAt(writeMoment(expiresAt ?? 0, locale))
      : words.revokedAt(writeMoment(revokedAt, locale))
  return [
    { title: words.key, cell: (key) => <NamedKeyCell of={key} /> },
    { title: words.lastUsed, cell: (key) => <LastUsedCell of={key} /> },
    {
      title: words.endedAt,
      cell: describeEnd,
    },
  ]
}
