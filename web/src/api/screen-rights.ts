import type { ConsoleScreen } from '#api/contract/index.ts'
import { useRights, type Right } from './rights.ts'

/** What a screen takes in the chosen account; those that are not here are for every member. */
const SCREEN_RIGHTS: Partial<Readonly<Record<ConsoleScreen, Right>>> = {
  '/console/start': 'change_keys',
  '/console/keys': 'see_keys',
  '/console/playground': 'chat',
  '/console/requests': 'see_requests',
  '/console/balance': 'see_money',
}

/** Whether the role of who is signed in has the screen at an address: neither links nor buttons lead to others. */
export function useMayOpen(): (pathname: string | undefined) => boolean {
  const rights = useRights()
  return (pathname) => {
    const right = SCREEN_RIGHTS[pathname?.replace(/\/$/, '') as ConsoleScreen]
    return right === undefined || rights.includes(right)
  }
}
