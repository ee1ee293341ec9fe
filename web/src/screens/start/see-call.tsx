import { Link } from '@tanstack/react-router'
import type { Standing } from '../../api/standing.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import { CallFacts } from './call-facts.tsx'
import { startWords } from './words.ts'

/** Waits until a call arrives, and shows it. */
export function SeeCall({
  accountId,
  standing: { last_request: last, blocker },
  hasArrived,
}: {
  readonly accountId: string
  readonly standing: Standing
  readonly hasArrived: boolean
}) {
  const words = useWords(startWords)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {hasArrived ? (
        <Notice kind="good">
          <p className="font-semibold">{words.seen}</p>
        </Notice>
      ) : (
        <Waiting />
      )}
      {!hasArrived && blocker !== null && (
        <Notice kind="warn">
          <p>{words.blocked}</p>
          <Link to="/console" className="font-medium underline underline-offset-4">
            {words.toHome}
          </Link>
        </Notice>
      )}
      {last && (
        <>
          {!hasArrived && (
            <div>
              <h3 className="font-semibold">{words.last}</h3>
              <p className="text-sm text-soft">{words.again}</p>
            </div>
          )}
          <CallFacts key={last.request_id} accountId={accountId} requestId={last.request_id} />
        </>
      )}
      {hasArrived && <WhatNext />}
    </div>
  )
}

function Waiting() {
  const words = useWords(startWords)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div role="status" className="flex items-center gap-3">
        <span aria-hidden="true" className="size-3 animate-pulse rounded-full bg-accent" />
        <p className="font-medium">{words.waiting}</p>
      </div>
      <p className="text-sm text-soft">{words.waitingText}</p>
      <details>
        <summary className="min-h-6">{words.nothing}</summary>
        <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-sm">
          {words.codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function WhatNext() {
  const { next, nexts } = useWords(startWords)
  return (
    <div className="flex flex-col gap-3">
      <h3 className="font-semibold">{next}</h3>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/console/playground">{nexts.playground}</ButtonLink>
        <ButtonLink kind="second" to="/console/requests">
          {nexts.requests}
        </ButtonLink>
        <ButtonLink kind="second" to="/console/balance">
          {nexts.balance}
        </ButtonLink>
        <ButtonLink kind="second" to="/console/limits">
          {nexts.limits}
        </ButtonLink>
      </div>
    </div>
  )
}
