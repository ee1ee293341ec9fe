import { useSettings } from '../../api/settings.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { limitsWords } from './words.ts'

export function AllTiers({ tier }: { readonly tier: number }) {
  const words = useWords(limitsWords)
  const { locale } = useSpeech()
  const settings = useSettings()
  const { columns } = words
  return (
    <Card title={words.tiers}>
      <div className="flex flex-col gap-4">
        <p className="max-w-prose text-sm text-soft">{words.tiersText}</p>
        <Loaded query={settings} lines={4}>
          {({ tiers }) => (
            <DataTable
              caption={words.tiers}
              rows={tiers}
              keyOf={(row) => String(row.tier)}
              columns={[
                {
                  title: columns.tier,
                  cell: (row) =>
                    row.tier === tier ? (
                      <strong>{`${row.tier} (${words.yours})`}</strong>
                    ) : (
                      row.tier
                    ),
                },
                {
                  title: columns.from,
                  cell: (row) => {
                    const amount = writeEuros(row.from_eur, locale)
                    return row.tier === 3 ? words.above(amount) : words.from(amount)
                  },
                },
                {
                  title: columns.requests,
                  isFigure: true,
                  cell: (row) => writeCount(row.requests_per_minute, locale),
                },
                {
                  title: columns.tokens,
                  isFigure: true,
                  cell: (row) => writeCount(row.tokens_per_minute, locale),
                },
              ]}
            />
          )}
        </Loaded>
      </div>
    </Card>
  )
}
