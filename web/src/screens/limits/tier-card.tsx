import { useMay } from '../../api/rights.ts'
import type { Standing } from '../../api/standing.ts'
import { missingEuros } from '../../format/exact-euros.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { limitsWords } from './words.ts'

/** The tier, and how far it is to the next one. */
export function TierCard({ standing }: { readonly standing: Standing }) {
  const words = useWords(limitsWords)
  const { locale } = useSpeech()
  const { account, windows, next_tier: next } = standing
  const count = (figure: number): string => writeCount(figure, locale)
  return (
    <Card title={words.tierNow(String(account.tier))}>
      <div className="flex flex-col items-start gap-4">
        <p>{words.allows(count(windows.requests.limit), count(windows.tokens.limit))}</p>
        {next ? <Progress next={next} /> : <p className="text-soft">{words.highest}</p>}
      </div>
    </Card>
  )
}

function Progress({ next }: { readonly next: NonNullable<Standing['next_tier']> }) {
  const words = useWords(limitsWords)
  const mayPay = useMay()('pay')
  const { locale } = useSpeech()
  const missing = writeEuros(missingEuros(next.have_eur, next.from_eur), locale)
  return (
    <>
      <div className="w-full">
        <Meter
          label={words.next(String(next.tier))}
          text={words.nextReach(
            writeEuros(next.have_eur, locale),
            writeEuros(next.from_eur, locale),
          )}
          part={Number(next.have_eur) / Number(next.from_eur)}
        />
      </div>
      <p className="text-sm text-soft">
        {next.tier === 3 ? words.missingAbove(missing) : words.missing(missing)}{' '}
        {words.nextAllows(
          String(next.tier),
          writeCount(next.requests_per_minute, locale),
          writeCount(next.tokens_per_minute, locale),
        )}
      </p>
      {mayPay && (
        <ButtonLink to="/console/balance" kind="second">
          {words.topUp}
        </ButtonLink>
      )}
    </>
  )
}
