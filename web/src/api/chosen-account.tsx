import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { accountsQuery, type OwnAccount } from './own.ts'

const KEPT_AS = 'parley.account'
const NAMED_AS = 'account'

export interface ChosenAccount {
  readonly account: OwnAccount
  readonly accounts: readonly OwnAccount[]
  choose(accountId: string): void
}

export const ChosenContext = createContext<ChosenAccount | undefined>(undefined)

/** Most people have one account; who is a member of more says which one all screens are about. */
export function ChosenAccountProvider({ children }: { readonly children: ReactNode }) {
  const accounts = useSuspenseQuery(accountsQuery).data.data
  const [chosenId, setChosenId] = useState(readChosen)
  const queries = useQueryClient()
  // One's own, and of these the oldest, which signing up made, where none is chosen.
  const own = accounts.findLast(({ is_own: isOwn }) => isOwn)
  const account = accounts.find(({ id }) => id === chosenId) ?? own ?? accounts.at(-1)
  const chosen = useMemo<ChosenAccount | undefined>(
    () =>
      account && {
        account,
        accounts,
        choose(accountId) {
          keepChosen(accountId)
          setChosenId(accountId)
          void queries.invalidateQueries()
        },
      },
    [account, accounts, queries],
  )
  if (!chosen) throw new Error('who is signed in has no account')
  return <ChosenContext value={chosen}>{children}</ChosenContext>
}

export function useChosenAccount(): ChosenAccount {
  const chosen = use(ChosenContext)
  if (!chosen) throw new Error('there is no ChosenAccountProvider above')
  return chosen
}

/** The account that the screen is about. */
export function useAccountId(): string {
  return useChosenAccount().account.id
}

/** Each tab keeps its own, so that two can be about two accounts; a new tab begins with the last one chosen. */
function readChosen(): string | null {
  return sessionStorage.getItem(KEPT_AS) ?? localStorage.getItem(KEPT_AS)
}

function keepChosen(accountId: string): void {
  sessionStorage.setItem(KEPT_AS, accountId)
  localStorage.setItem(KEPT_AS, accountId)
}

/** A link may say which account it is about: taken before anything is shown, and out of the address. */
export function takeNamedAccount(): void {
  const url = new URL(location.href)
  const named = url.searchParams.get(NAMED_AS)
  if (named === null) return
  keepChosen(named)
  url.searchParams.delete(NAMED_AS)
  history.replaceState(history.state, '', url)
}
