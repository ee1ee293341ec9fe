import { use } from 'react'
import { ChosenContext, useChosenAccount } from './chosen-account.tsx'
import type { OwnAccount } from './own.ts'

/** What a role may do in an account: the service says which of them who asks has. */
export type Right = OwnAccount['rights'][number]
export type MemberRole = OwnAccount['role']

/** None where no account has been chosen yet. */
export function useRights(): readonly Right[] {
  return use(ChosenContext)?.account.rights ?? []
}

/** Whether who is signed in has a right in the chosen account. The service looks again at each request. */
export function useMay(): (right: Right) => boolean {
  const { rights } = useChosenAccount().account
  return (right) => rights.includes(right)
}
