import type { Blocker, Standing } from '../../api/standing.ts'
import { useMay } from '../../api/rights.ts'
import { useSettings } from '../../api/settings.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { Translation } from '../../words/define-words.ts'
import { ResetNote } from './reset-note.tsx'
import { homeWords } from './words.ts'

/** What is in the way, when it goes by itself, and what can be done before that. */
export function BlockerNote({
  blocker,
  standing,
  readAtMs,
}: {
  readonly blocker: Blocker
  readonly standing: Standing
  readonly readAtMs: number
}) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  return (
    <div className="mt-1 flex flex-col items-start gap-3 text-ink">
      <p role="status" className="max-w-prose">
        {describeBlocker(blocker, standing, { words, locale })}{' '}
        <ResetNote blocker={blocker} standing={standing} readAtMs={readAtMs} />
      </p>
      <WayOut blocker={blocker} />
    </div>
  )
}

interface Speaking {
  readonly words: Translation<(typeof homeWords)['en']>
  readonly locale: string
}

function describeBlocker(
  blocker: Blocker,
  { account, ceiling, windows }: Standing,
  { words: { blockers }, locale }: Speaking,
): string {
  switch (blocker) {
    case 'suspended':
      return blockers.suspended
    case 'balance':
      return Number(account.balance_eur) > 0 ? blockers.allHeld : blockers.balance
    case 'ceiling':
      return blockers.ceiling(writeEuros(ceiling.eur ?? '0.00', locale))
    case 'requests':
      return blockers.requests(writeCount(windows.requests.limit, locale))
    case 'tokens':
      return blockers.tokens(writeCount(windows.tokens.limit, locale))
  }
}

function WayOut({ blocker }: { readonly blocker: Blocker }) {
  const words = useWords(homeWords)
  const { data: settings } = useSettings()
  const mayPay = useMay()('pay')
  switch (blocker) {
    case 'suspended':
      return null
    case 'balance':
      if (settings?.payments === null) return <p>{words.askOperator}</p>
      if (!mayPay) return <p>{words.askPayer}</p>
      return <ButtonLink to="/console/balance">{words.topUp}</ButtonLink>
    case 'ceiling':
      return <ButtonLink to="/console/limits">{words.toLimits}</ButtonLink>
    case 'requests':
    case 'tokens':
      return (
        <ButtonLink kind="second" to="/console/limits">
          {words.toTiers}
        </ButtonLink>
      )
  }
}
