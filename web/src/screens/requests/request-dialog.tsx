import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAccountId } from '../../api/chosen-account.tsx'
import { useKeyNames } from '../../api/key-names.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { writeDuration, writeSecond } from '../../format/times.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { Ending } from './ending.tsx'
import { requestQuery, type Receipt } from './requests-query.ts'
import { requestsWords } from './words.ts'

/** All that is known of one request. */
export function RequestDialog({
  requestId,
  onClose,
}: {
  readonly requestId: string
  readonly onClose: () => void
}) {
  const words = useWords(requestsWords)
  const accountId = useAccountId()
  const request = useQuery(requestQuery(accountId, requestId))
  return (
    <Dialog title={words.detailsTitle} onClose={onClose}>
      <Loaded query={request} lines={8}>
        {(receipt) => (
          <>
            <Details receipt={receipt} />
            <p className="text-sm text-soft">{words.noContent}</p>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function Details({ receipt }: { readonly receipt: Receipt }) {
  const { facts: names, endingNotes, sources, writtenOff } = useWords(requestsWords)
  const { locale } = useSpeech()
  const key = useKeyNames().get(receipt.key_id)
  const firstToken = receipt.first_token_ms
  const facts: (readonly [string, ReactNode])[] = [
    [names.id, <IdWithCopy key="id" id={receipt.request_id} />],
    [names.time, writeSecond(receipt.created_at, locale)],
    [names.utc, writeSecond(receipt.created_at, locale, 'UTC')],
    [names.model, receipt.model],
    [names.key, key ? `${key.name} (…${key.lastFour})` : receipt.key_id],
    [
      names.ended,
      <span key="ended" className="flex flex-col items-start gap-1">
        <Ending ended={receipt.ended} />
        <span className="text-sm text-soft">{endingNotes[receipt.ended]}</span>
      </span>,
    ],
    [names.finish, receipt.finish_reason ?? '–'],
    [names.firstToken, firstToken === null ? '–' : writeDuration(firstToken, locale)],
    [names.duration, writeDuration(receipt.duration_ms, locale)],
    [names.in, writeCount(receipt.prompt_tokens, locale)],
    [names.out, writeCount(receipt.completion_tokens, locale)],
    [names.counted, sources[receipt.usage_source]],
    [names.cost, writeEuros(receipt.cost_eur, locale)],
  ]
  if (receipt.written_off_eur !== '0.00') {
    facts.push([names.writtenOff, writtenOff(writeEuros(receipt.written_off_eur, locale))])
  }
  return <Facts facts={facts} />
}

function IdWithCopy({ id }: { readonly id: string }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code className="font-mono wrap-anywhere">{id}</code>
      <CopyButton text={id} isSmall />
    </span>
  )
}
