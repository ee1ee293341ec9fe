import type { Usage } from '../../api/usage.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { useFigureColumns } from './figure-columns.ts'
import { sumByModel } from './stack-days.ts'
import { usageWords } from './words.ts'

export function ByModel({ usage }: { readonly usage: Usage }) {
  const words = useWords(usageWords)
  const figures = useFigureColumns()
  return (
    <Card title={words.byModel}>
      <DataTable
        caption={words.byModel}
        rows={sumByModel(usage.days)}
        keyOf={({ brand }) => brand}
        columns={[{ title: words.columns.model, cell: ({ brand }) => brand }, ...figures]}
      />
    </Card>
  )
}
