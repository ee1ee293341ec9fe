import type { LinkProps } from '@tanstack/react-router'
import type { frameWords } from './words.ts'

type ScreenName = keyof (typeof frameWords)['en']['screens']

export interface ScreenLink {
  readonly to: NonNullable<LinkProps['to']>
  readonly name: ScreenName
}

/** In the order of the navigation. */
export const SCREEN_LINKS: readonly ScreenLink[] = [
  { to: '/console', name: 'home' },
  { to: '/console/start', name: 'start' },
  { to: '/console/keys', name: 'keys' },
  { to: '/console/playground', name: 'playground' },
  { to: '/console/usage', name: 'usage' },
  { to: '/console/requests', name: 'requests' },
  { to: '/console/balance', name: 'balance' },
  { to: '/console/limits', name: 'limits' },
  { to: '/console/members', name: 'members' },
  { to: '/console/connected-apps', name: 'apps' },
  { to: '/console/activity', name: 'activity' },
  { to: '/console/account', name: 'person' },
]

/** For operators only. */
export const OPERATOR_LINKS: readonly ScreenLink[] = [{ to: '/console/operator', name: 'operator' }]
