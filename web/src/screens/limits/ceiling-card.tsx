import { useState } from 'react'
import { useMay } from '../../api/rights.ts'
import type { Standing } from '../../api/standing.ts'
import { writeEuros } from '../../format/figures.ts'
import { writeTime, writeUtcTime } from '../../format/times.ts'
import { KeepFocus } from '../../parts/keep-focus.tsx'
import { LookOnly } from '../../parts/look-only.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { CeilingForm } from './ceiling-form.tsx'
import { limitsWords } from './words.ts'

/** What refuses requests. Alerts, which only tell, are a card of their own. */
export function CeilingCard({ standing }: { readonly standing: Standing }) {
  const words = useWords(limitsWords)
  const { locale } = useSpeech()
  const mayChange = useMay()('change_limits')
  // What was set last; undefined while nothing was.
  const [told, setTold] = useState<{ readonly ceiling: string | null }>()
  return (
    <Card title={words.ceiling}>
      <div className="flex flex-col gap-4">
        <p className="text-sm text-soft">{words.ceilingText}</p>
        {standing.ceiling.eur === null ? (
          <p>{words.noCeiling}</p>
        ) : (
          <Spent standing={standing} ceiling={standing.ceiling.eur} />
        )}
        {mayChange ? (
          <CeilingForm
            accountId={standing.account.id}
            ceiling={standing.ceiling.eur}
            onSet={(ceiling) => setTold({ ceiling })}
          />
        ) : (
          <LookOnly />
        )}
        {told && (
          <KeepFocus key={told.ceiling ?? 'none'}>
            <Notice kind="good">
              {told.ceiling === null
                ? words.ceilingRemoved
                : words.ceilingSet(writeEuros(told.ceiling, locale))}
            </Notice>
          </KeepFocus>
        )}
      </div>
    </Card>
  )
}

function Spent({ standing, ceiling }: { readonly standing: Standing; readonly ceiling: string }) {
  const words = useWords(limitsWords)
  const { locale } = useSpeech()
  const spent = standing.account.spent_today_eur
  const { left_eur: left, resets_at: resetsAt } = standing.ceiling
  const isReached = standing.blocker === 'ceiling'
  return (
    <div className="flex flex-col gap-2">
      <Meter
        label={words.spent}
        text={words.spentOf(writeEuros(spent, locale), writeEuros(ceiling, locale))}
        part={Number(ceiling) === 0 ? 1 : Number(spent) / Number(ceiling)}
        kind={isReached ? 'danger' : 'accent'}
      />
      {isReached && <p className="font-medium text-danger">{words.reached}</p>}
      <p className="text-sm text-soft">
        {!isReached && left !== null && `${words.left(writeEuros(left, locale))} `}
        {words.resetsAt(writeUtcTime(resetsAt, locale), writeTime(resetsAt, locale))}
      </p>
    </div>
  )
}
