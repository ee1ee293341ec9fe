import { useMutation } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../../api/client.ts'
import { writeCount } from '../../../format/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { ProblemNote } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import { booksWords } from './words.ts'

type Found = ReplyTo<'get /operator/v1/ledger/verify'>

/** Asked for by hand, never by itself: it reads all of the books. */
export function Verification() {
  const { verify: words } = useWords(booksWords)
  const verifying = useMutation({ mutationFn: () => call('get /operator/v1/ledger/verify', {}) })
  return (
    <Card title={words.title}>
      <div className="flex min-w-0 flex-col items-start gap-4">
        <p className="max-w-prose text-soft">{words.text}</p>
        <div className="flex flex-wrap items-center gap-4">
          <Button kind="second" busy={verifying.isPending} onClick={() => verifying.mutate()}>
            {verifying.data ? words.again : words.act}
          </Button>
          <p role="status">{verifying.isPending && words.running}</p>
        </div>
        {verifying.error && <ProblemNote problem={verifying.error} />}
        {verifying.data && <WhatWasFound found={verifying.data} />}
      </div>
    </Card>
  )
}

function WhatWasFound({ found }: { readonly found: Found }) {
  const { verify: words } = useWords(booksWords)
  const { locale } = useSpeech()
  const { ok, transfers, accounts, discrepancies } = found
  const write = (count: number) => writeCount(count, locale)
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <Notice kind={ok ? 'good' : 'danger'}>
        <p className="font-medium">{ok ? words.good : words.bad(write(discrepancies.length))}</p>
        <p>{words.counts(write(transfers), write(accounts))}</p>
      </Notice>
      {discrepancies.length > 0 && (
        <>
          <h3>{words.discrepancies}</h3>
          <ul className="flex list-disc flex-col gap-1 pl-5">
            {discrepancies.map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
