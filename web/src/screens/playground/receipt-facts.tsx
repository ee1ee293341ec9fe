import { useQuery } from '@tanstack/react-query'
import { useAccountId } from '../../api/chosen-account.tsx'
import type { ReplyTo } from '../../api/client.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { receiptQuery } from './receipt-query.ts'
import type { PlaygroundWords } from './say-problem.ts'
import { playgroundWords } from './words.ts'

type Receipt = ReplyTo<'get /console/api/accounts/{account_id}/requests/{request_id}'>

/** What a request cost: the books' own figures, once they are there. */
export function ReceiptFacts({ requestId }: { readonly requestId: string }) {
  const words = useWords(playgroundWords)
  const { locale } = useSpeech()
  const receipt = useQuery(receiptQuery(useAccountId(), requestId))
  return (
    <div className="flex flex-col gap-1 rounded-lg bg-paper px-4 py-2 text-sm">
      {receipt.data ? (
        <dl className="flex flex-wrap gap-x-6 gap-y-1">
          {listFacts(receipt.data, words, locale).map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt className="text-soft">{name}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        !receipt.error && <p className="text-soft">{words.waiting}</p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 wrap-anywhere">
          <span className="mr-2 text-soft">{words.request}</span>
          <code className="font-mono">{requestId}</code>
        </p>
        <CopyButton text={requestId} label={words.copyRequest} isSmall />
      </div>
    </div>
  )
}

function listFacts(receipt: Receipt, words: PlaygroundWords, locale: string) {
  const { first_token_ms: firstMs, written_off_eur: writtenOff } = receipt
  const cost = writeEuros(receipt.cost_eur, locale)
  const [input, output] = [receipt.prompt_tokens, receipt.completion_tokens].map((count) =>
    writeCount(count, locale),
  )
  return [
    [
      words.cost,
      Number(writtenOff) === 0
        ? cost
        : `${cost} (${words.writtenOff(writeEuros(writtenOff, locale))})`,
    ],
    [words.tokens, words.tokensOf(input ?? '', output ?? '')],
    [
      words.firstToken,
      firstMs === null ? words.noToken : words.firstTokenAfter(writeSeconds(firstMs, locale)),
    ],
  ] as const
}

function writeSeconds(ms: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(ms / 1_000)
}
