import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { writeEuros } from '../../format/figures.ts'
import { Button } from '../../parts/button.tsx'
import { Notice, type NoticeKind } from '../../parts/notice.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { askAnew, isUnderWay, type Topup } from './topups.ts'
import { balanceWords } from './words.ts'

const route = getRouteApi('/console/balance')

const POLL_MS = 2_000
/** A bank may take days: then somebody who leaves the page open asks seldom. */
const SLOW_POLL_MS = 15_000
const QUICK_POLLS = 30

const KINDS: Readonly<Record<Topup['state'], NoticeKind>> = {
  open: 'plain',
  pending: 'plain',
  paid: 'good',
  failed: 'danger',
  expired: 'warn',
  mismatched: 'danger',
}

/** What became of the checkout that somebody comes back from. It only looks: the money is booked elsewhere. */
export function CheckoutReturn() {
  const { topup } = route.useSearch()
  return topup === undefined ? null : <Outcome key={topup} topupId={topup} />
}

function Outcome({ topupId }: { readonly topupId: string }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const topup = useQuery({
    queryKey: ['topup', topupId],
    queryFn: ({ signal }) =>
      call('get /console/api/topups/{topup_id}', { params: { topup_id: topupId } }, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data && !isUnderWay(state.data)) return false
      return state.dataUpdateCount + state.errorUpdateCount < QUICK_POLLS ? POLL_MS : SLOW_POLL_MS
    },
  })
  const { state, account_id: accountId } = topup.data ?? {}
  useEffect(() => {
    if (state === 'paid' && accountId !== undefined) void askAnew(queries, accountId)
  }, [state, accountId, queries])
  function dismiss(): void {
    // The button goes, and reading with it, unless it goes on at the title.
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    void navigate({ search: {}, replace: true, resetScroll: false })
  }
  return (
    <Loaded query={topup} lines={1}>
      {(found) => (
        <Notice kind={KINDS[found.state]}>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>{words.back[found.state](writeEuros(found.amount_eur, locale))}</p>
            {!isUnderWay(found) && (
              <Button kind="second" onClick={dismiss}>
                {words.dismiss}
              </Button>
            )}
          </div>
        </Notice>
      )}
    </Loaded>
  )
}
