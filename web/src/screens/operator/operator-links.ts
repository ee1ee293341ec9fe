import type { LinkProps } from '@tanstack/react-router'
import type { operatorWords } from './words.ts'

export interface OperatorLink {
  readonly to: NonNullable<LinkProps['to']>
  readonly name: keyof (typeof operatorWords)['en']['screens']
}

/** In the order of the second navigation. */
export const OPERATOR_SCREENS: readonly OperatorLink[] = [
  { to: '/console/operator', name: 'overview' },
  { to: '/console/operator/accounts', name: 'accounts' },
  { to: '/console/operator/people', name: 'people' },
  { to: '/console/operator/models', name: 'models' },
  { to: '/console/operator/payments', name: 'payments' },
  { to: '/console/operator/clients', name: 'clients' },
  { to: '/console/operator/books', name: 'books' },
  { to: '/console/operator/audit', name: 'audit' },
]
