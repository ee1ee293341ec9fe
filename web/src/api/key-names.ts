import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAccountId } from './chosen-account.tsx'
import { useMay } from './rights.ts'
import { keysQuery, type OwnKey } from './own-keys.ts'

export interface KeyName {
  readonly id: string
  readonly name: string
  readonly lastFour: string
}

/** The account's newest keys, to name them and to choose among them; empty until they have come. */
export function useKeyNames(): ReadonlyMap<string, KeyName> {
  const { data } = useInfiniteQuery({
    ...keysQuery(useAccountId()),
    enabled: useMay()('see_keys'),
  })
  return useMemo(() => nameKeys(data ?? []), [data])
}

function nameKeys(keys: readonly OwnKey[]): ReadonlyMap<string, KeyName> {
  return new Map(keys.map(({ id, name, last_four: lastFour }) => [id, { id, name, lastFour }]))
}
