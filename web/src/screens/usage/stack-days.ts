import type { UsageDay } from '../../api/usage.ts'
import { addEuros } from '../../format/exact-euros.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { listDays } from '../../format/utc-days.ts'
import type { DayStack } from '../../parts/day-bars-layout.ts'
import type { Measure } from './usage-search.ts'

export interface Figures {
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost_eur: string
}

export interface ModelFigures extends Figures {
  readonly brand: string
}

type DayFigures = Omit<UsageDay, 'written_off_eur'>

const ORDER = ['air', 'prime', 'nova']

/** Each model's sum over all days, in the order in which they are stacked. */
export function sumByModel(days: readonly DayFigures[]): ModelFigures[] {
  const groups = Map.groupBy(days, ({ brand }) => brand)
  return [...groups]
    .map(([brand, rows]) => ({ brand, ...addFigures(rows) }))
    .toSorted((a, b) => placeOf(a.brand) - placeOf(b.brand) || a.brand.localeCompare(b.brand))
}

/** A stack for each day of the range, those without use among them. */
export function stackDays(
  {
    from,
    to,
    days,
  }: { readonly from: string; readonly to: string; readonly days: readonly DayFigures[] },
  models: readonly ModelFigures[],
  measure: Measure,
  locale: string,
): DayStack[] {
  const byDay = Map.groupBy(days, ({ day }) => day)
  return listDays(from, to).map((day) => {
    const rows = byDay.get(day) ?? []
    const parts = models.flatMap(({ brand }) => {
      const row = rows.find((one) => one.brand === brand)
      if (!row) return []
      return [
        { series: brand, value: sizeOf(row, measure), text: writeMeasure(row, measure, locale) },
      ]
    })
    return { day, parts, total: writeMeasure(addFigures(rows), measure, locale) }
  })
}

export function writeMeasure(figures: Figures, measure: Measure, locale: string): string {
  if (measure === 'cost') return writeEuros(figures.cost_eur, locale)
  return writeCount(countOf(figures, measure), locale)
}

/** For the height of a bar alone: cost is read from its text. */
function sizeOf(figures: Figures, measure: Measure): number {
  return measure === 'cost' ? Number(figures.cost_eur) : countOf(figures, measure)
}

function countOf(figures: Figures, measure: Exclude<Measure, 'cost'>): number {
  switch (measure) {
    case 'in':
      return figures.prompt_tokens
    case 'out':
      return figures.completion_tokens
    case 'requests':
      return figures.requests
  }
}

function addFigures(rows: readonly Figures[]): Figures {
  const add = (figure: (row: Figures) => number): number =>
    rows.reduce((sum, row) => sum + figure(row), 0)
  return {
    requests: add((row) => row.requests),
    prompt_tokens: add((row) => row.prompt_tokens),
    completion_tokens: add((row) => row.completion_tokens),
    cost_eur: addEuros(rows.map((row) => row.cost_eur)),
  }
}

function placeOf(brand: string): number {
  const place = ORDER.indexOf(brand)
  return place === -1 ? ORDER.length : place
}
