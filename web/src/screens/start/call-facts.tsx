import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { writeMoment } from '../../format/times.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { startWords } from './words.ts'

function requestQuery(accountId: string, requestId: string) {
  return queryOptions({
    queryKey: ['request', accountId, requestId],
    queryFn: ({ signal }) => {
      const params = { account_id: accountId, request_id: requestId }
      return call(
        'get /console/api/accounts/{account_id}/requests/{request_id}',
        { params },
        signal,
      )
    },
    // A receipt does not change.
    staleTime: Infinity,
  })
}

/** What one call was and cost. */
export function CallFacts({
  accountId,
  requestId,
}: {
  readonly accountId: string
  readonly requestId: string
}) {
  const words = useWords(startWords)
  const { locale } = useSpeech()
  const request = useQuery(requestQuery(accountId, requestId))
  const count = (figure: number): string => writeCount(figure, locale)
  return (
    <Loaded query={request} lines={6}>
      {(receipt) => (
        <Facts
          facts={[
            [words.model, receipt.model],
            [words.tokens, `${count(receipt.prompt_tokens)} → ${count(receipt.completion_tokens)}`],
            [words.cost, writeEuros(receipt.cost_eur, locale)],
            ...(receipt.first_token_ms === null
              ? []
              : [[words.firstToken, words.ms(count(receipt.first_token_ms))] as const]),
            [words.took, words.ms(count(receipt.duration_ms))],
            [words.at, writeMoment(receipt.created_at, locale)],
            [words.requestId, <RequestId key="id" id={receipt.request_id} />],
          ]}
        />
      )}
    </Loaded>
  )
}

function RequestId({ id }: { readonly id: string }) {
  const words = useWords(startWords)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <code className="font-mono text-sm wrap-anywhere">{id}</code>
      <CopyButton text={id} label={words.copyId} />
    </div>
  )
}
