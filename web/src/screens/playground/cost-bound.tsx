import { writeCount, writeEuros } from '../../format/figures.ts'
import { useSpeech, useWords } from '../../words/language.tsx'
import { priceTokens } from './bound-cost.ts'
import type { ConsoleModel } from './conversation.ts'
import { settingsWords } from './settings-words.ts'
import { readNumber, type Settings } from './write-body.ts'

/** What is certain before: no reply is longer than its max tokens. What is sent, the service counts. */
export function CostBound({
  model: { max_output_tokens: most, pricing_eur_per_1m: price },
  settings,
}: {
  readonly model: ConsoleModel
  readonly settings: Settings
}) {
  const words = useWords(settingsWords)
  const { locale } = useSpeech()
  const tokens = Math.min(readNumber(settings.maxTokens) ?? most, most)
  return (
    <div className="rounded-lg bg-paper p-3 text-sm">
      <p className="flex flex-wrap justify-between gap-x-3 font-medium">
        <span>{words.atMost}</span>
        <span className="tabular-nums">
          {writeEuros(priceTokens(tokens, price.outPerM), locale)}
        </span>
      </p>
      <p className="mt-1 text-soft">
        {words.atMostText(writeCount(tokens, locale), writeEuros(String(price.inPerM), locale))}
      </p>
    </div>
  )
}
