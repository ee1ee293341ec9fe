import type { LinkProps } from '@tanstack/react-router'
import type { frameWords } from './words.ts'

type ScreenName = keyof (typeof frameWords)['en']['screens']

export interface ScreenLink {
  readonly to: NonNullable<LinkProps['to']>
  readonly name: ScreenName
}

/** In the order of the navigation. */
export const SCREEN_LINKS: readonly ScreenLink[] = [{ to: '/console', name: 'home' }]

/** For operators only. */
export const OPERATOR_LINKS: readonly ScreenLink[] = []
