import { useQuery } from '@tanstack/react-query'
import { useAccountId } from './chosen-account.tsx'
import { call } from './client.ts'

export interface KeyName {
  readonly id: string
  readonly name: string
  readonly lastFour: string
}

/** The account's newest keys, to name them and to choose among them; empty until they have come. */
export function useKeyNames(): ReadonlyMap<string, KeyName> {
  const accountId = useAccountId()
  const { data } = useQuery({
    queryKey: ['keys', accountId, 'names'],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/keys',
        { params: { account_id: accountId }, query: { limit: '200' } },
        signal,
      ),
    select: readNames,
    staleTime: 60_000,
  })
  return data ?? NONE
}

const NONE: ReadonlyMap<string, KeyName> = new Map()

interface KeyList {
  readonly data: readonly {
    readonly id: string
    readonly name: string
    readonly last_four: string
  }[]
}

function readNames({ data }: KeyList): ReadonlyMap<string, KeyName> {
  return new Map(
    data.map((key) => [key.id, { id: key.id, name: key.name, lastFour: key.last_four }]),
  )
}
