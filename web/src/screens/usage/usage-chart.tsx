import type { Usage } from '../../api/usage.ts'
import { addEuros } from '../../format/exact-euros.ts'
import { writeEuros, writeShortCount } from '../../format/figures.ts'
import { writeDay, writeMoment } from '../../format/times.ts'
import { Choice } from '../../parts/choice.tsx'
import { DayBars } from '../../parts/day-bars.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { stackDays, sumByModel, writeMeasure } from './stack-days.ts'
import { MEASURES, type Measure } from './usage-search.ts'
import { UsageTable } from './usage-table.tsx'
import { usageWords } from './words.ts'

/** One measure as bars, and all of them as a table. */
export function UsageChart({
  usage,
  measure,
  onShow,
}: {
  readonly usage: Usage
  readonly measure: Measure
  readonly onShow: (measure: Measure) => void
}) {
  const words = useWords(usageWords)
  const { locale } = useSpeech()
  const models = sumByModel(usage.days)
  const name = words.measures[measure]
  const range = words.rangeOf(writeDay(usage.from, locale), writeDay(usage.to, locale))
  const total = writeMeasure(usage.totals, measure, locale)
  const writtenOff = addEuros(usage.days.map(({ written_off_eur: amount }) => amount))
  return (
    <Card
      title={words.perDay(name)}
      aside={<p className="text-sm text-soft">{words.asOf(writeMoment(usage.as_of, locale))}</p>}
    >
      <div className="flex flex-col gap-6">
        <MeasureChoice usage={usage} measure={measure} onShow={onShow} />
        <DayBars
          key={`${usage.from} ${usage.to}`}
          summary={words.summary(name, range, total)}
          days={stackDays(usage, models, measure, locale)}
          isWhole={measure !== 'cost'}
          whole={{
            title: range,
            total,
            parts: models.map((model) => ({
              series: model.brand,
              text: writeMeasure(model, measure, locale),
            })),
          }}
          writeTick={(value) =>
            measure === 'cost' ? writeEurosTick(value, locale) : writeShortCount(value, locale)
          }
        />
        {writtenOff !== '0.00' && (
          <p className="text-sm text-soft">{words.writtenOff(writeEuros(writtenOff, locale))}</p>
        )}
        <UsageTable usage={usage} />
      </div>
    </Card>
  )
}

/** The totals, each of which can be seen day by day. */
function MeasureChoice({
  usage,
  measure,
  onShow,
}: {
  readonly usage: Usage
  readonly measure: Measure
  readonly onShow: (measure: Measure) => void
}) {
  const words = useWords(usageWords)
  const { locale } = useSpeech()
  return (
    <Choice
      legend={words.show}
      isLegendHidden
      value={measure}
      options={MEASURES.map((value) => ({
        value,
        label: (
          <span className="flex flex-col">
            <span className="text-sm font-normal text-soft">{words.measures[value]}</span>
            <span className="tabular-nums">{writeMeasure(usage.totals, value, locale)}</span>
          </span>
        ),
      }))}
      onChoose={onShow}
    />
  )
}

/** Round by its making, so that nine decimals say it exactly. */
function writeEurosTick(value: number, locale: string): string {
  return writeEuros(value.toFixed(9).replace(/0{1,7}$/, ''), locale)
}
