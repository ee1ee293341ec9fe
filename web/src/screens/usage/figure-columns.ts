import { writeCount, writeEuros } from '../../format/figures.ts'
import type { Column } from '../../parts/data-table.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { Figures } from './stack-days.ts'
import { usageWords } from './words.ts'

/** What all tables of use end with. */
export function useFigureColumns(): readonly Column<Figures>[] {
  const { columns } = useWords(usageWords)
  const { locale } = useSpeech()
  const count = (title: string, figure: (row: Figures) => number): Column<Figures> => ({
    title,
    isFigure: true,
    cell: (row) => writeCount(figure(row), locale),
  })
  return [
    count(columns.requests, (row) => row.requests),
    count(columns.in, (row) => row.prompt_tokens),
    count(columns.out, (row) => row.completion_tokens),
    { title: columns.cost, isFigure: true, cell: (row) => writeEuros(row.cost_eur, locale) },
  ]
}
