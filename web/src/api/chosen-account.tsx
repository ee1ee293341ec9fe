import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { accountsQuery, type OwnAccount } from './own.ts'

const KEPT_AS = 'parley.account'

export interface ChosenAccount {
  readonly account: OwnAccount
  readonly accounts: readonly OwnAccount[]
  choose(accountId: string): void
}

const ChosenContext = createContext<ChosenAccount | undefined>(undefined)

/** Most people have one account; who has more says which one all screens are about. */
export function ChosenAccountProvider({ children }: { readonly children: ReactNode }) {
  const accounts = useSuspenseQuery(accountsQuery).data.data
  const [chosenId, setChosenId] = useState(() => localStorage.getItem(KEPT_AS))
  const queries = useQueryClient()
  // The oldest, which signing up made, where none is chosen.
  const account = accounts.find(({ id }) => id === chosenId) ?? accounts.at(-1)
  const chosen = useMemo<ChosenAccount | undefined>(
    () =>
      account && {
        account,
        accounts,
        choose(accountId) {
          localStorage.setItem(KEPT_AS, accountId)
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
