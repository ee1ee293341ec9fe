import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { askAgainIn } from './ask-again-in.ts'
import { useAccountId } from './chosen-account.tsx'
import { fillPath, type ReplyTo } from './client.ts'
import { accountsQuery } from './own.ts'
import { tellSignedOut } from './signed-out.ts'
import { followStream } from './standing-stream.ts'
import { laterOf, standingQuery, type Standing } from './standing.ts'
import { throttle } from './throttle.ts'

/** An account that is called all the time would have its lists asked for all the time. */
const FOLLOW_EVERY_MS = 5_000

/**
 * Keeps the standing of the chosen account true, once for the whole app: by the stream while there is
 * one, by asking while there is none.
 */
export function LiveStanding() {
  const accountId = useAccountId()
  const queries = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  const { data: standing } = useQuery({
    ...standingQuery(accountId),
    refetchInterval: ({ state }) => askAgainIn(isLive, state),
  })
  useEffect(() => follow(accountId, queries, setIsLive), [accountId, queries])
  useEffect(() => {
    if (standing) tellAccounts(queries, standing.account)
  }, [standing, queries])
  const seen = useRef<string>(undefined)
  const mark = standing && markOf(standing)
  useEffect(() => {
    // The stream tells by itself when something has changed.
    if (!isLive && seen.current !== undefined && seen.current !== mark) void askFollowers(queries)
    seen.current = mark
  }, [mark, isLive, queries])
  return null
}

/** Differs when a request, a credit or a limit has changed something. */
function markOf({ account, last_request: request }: Standing): string {
  return JSON.stringify([account, request])
}

function follow(
  accountId: string,
  queries: QueryClient,
  tellLive: (isLive: boolean) => void,
): () => void {
  const { queryKey } = standingQuery(accountId)
  const followers = throttle(() => void askFollowers(queries), FOLLOW_EVERY_MS)
  const path = fillPath('/console/api/accounts/{account_id}/events', { account_id: accountId })
  let isFirst = true
  const end = followStream(path, {
    opened(isAnew) {
      tellLive(true)
      isFirst = true
      // What screens have read was perhaps read before the stream told of changes.
      void (isAnew ? queries.invalidateQueries() : askFollowers(queries))
    },
    cut: () => tellLive(false),
    standing(text) {
      const next = JSON.parse(text) as Standing
      queries.setQueryData(queryKey, (known) => laterOf(known, next))
      // How it stood when the stream was opened is no news.
      if (!isFirst) followers.call()
      isFirst = false
    },
    signedOut: tellSignedOut,
  })
  return () => {
    followers.end()
    end()
  }
}

function askFollowers(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ meta }) => meta?.['followsStanding'] === true,
  })
}

type Accounts = ReplyTo<'get /console/api/accounts'>

/** The list of accounts has the same figures. */
function tellAccounts(queries: QueryClient, account: Standing['account']): void {
  queries.setQueryData(
    accountsQuery.queryKey,
    (known: Accounts | undefined) =>
      known && {
        ...known,
        data: known.data.map((one) => (one.id === account.id ? { ...one, ...account } : one)),
      },
  )
}
