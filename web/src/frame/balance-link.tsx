import { Link } from '@tanstack/react-router'
import { useChosenAccount } from '../api/chosen-account.tsx'
import { useMay } from '../api/rights.ts'
import { useStanding } from '../api/standing.ts'
import { writeEuros } from '../format/figures.ts'
import { useSpeech, useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

/** What is left, on every screen and live; and whether calls are refused. */
export function BalanceLink() {
  const words = useWords(frameWords)
  const { locale } = useSpeech()
  const { account } = useChosenAccount()
  const maySeeMoney = useMay()('see_money')
  const blocker = useStanding(account.id).data?.blocker ?? null
  return (
    <Link
      to={blocker === null && maySeeMoney ? '/console/balance' : '/console'}
      className="flex flex-col rounded-lg border border-line bg-card px-3 py-2 hover:border-edge"
    >
      <span className="text-soft">{words.balance}</span>
      <span className="font-semibold wrap-anywhere tabular-nums">
        {writeEuros(account.balance_eur, locale)}
      </span>
      {blocker !== null && <span className="font-medium text-danger">{words.cannotCall}</span>}
    </Link>
  )
}
