import type { Standing } from '../../api/standing.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { Meter } from '../../parts/meter.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

/** The tier, and how far it is to the next one. */
export function TierCard({
  standing: { account, windows, next_tier: next },
}: {
  readonly standing: Standing
}) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  const count = (figure: number): string => writeCount(figure, locale)
  return (
    <Card title={words.tier(account.tier)}>
      <div className="flex flex-col gap-4">
        <p>{words.tierHas(count(windows.requests.limit), count(windows.tokens.limit))}</p>
        {next === null ? (
          <p className="text-sm text-soft">{words.lastTier}</p>
        ) : (
          <>
            <Meter
              label={words.nextTier(next.tier)}
              text={words.nextTierProgress(
                writeEuros(next.have_eur, locale),
                writeEuros(next.from_eur, locale),
              )}
              part={Number(next.have_eur) / Number(next.from_eur)}
            />
            <p className="text-sm text-soft">
              {words.nextTierHas(
                next.tier,
                count(next.requests_per_minute),
                count(next.tokens_per_minute),
              )}
            </p>
          </>
        )}
      </div>
    </Card>
  )
}
