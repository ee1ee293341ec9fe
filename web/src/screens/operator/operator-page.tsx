import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePerson } from '../../api/own.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { OPERATOR_SCREENS } from './operator-links.ts'
import { operatorWords } from './words.ts'

/**
 * An operator's screen. Whoever is none reads that, and what the screen holds is not drawn, so nothing
 * of it is asked for; the service would refuse them anyway.
 */
export function OperatorPage({
  title,
  intro,
  children,
}: {
  readonly title: string
  readonly intro?: ReactNode
  readonly children: ReactNode
}) {
  const words = useWords(operatorWords)
  if (usePerson().role !== 'operator') {
    return (
      <Page title={words.forOperators} intro={words.forOperatorsText}>
        <div>
          <ButtonLink to="/console">{words.home}</ButtonLink>
        </div>
      </Page>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <OperatorNavigation />
      <Page title={title} intro={intro}>
        {children}
      </Page>
    </div>
  )
}

function OperatorNavigation() {
  const words = useWords(operatorWords)
  return (
    <nav aria-label={words.navigation} className="border-b border-line">
      <ul className="-mb-px flex flex-wrap gap-x-1">
        {OPERATOR_SCREENS.map(({ to, name }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: name === 'overview', includeSearch: false }}
              className="block border-b-2 px-3 py-2 text-sm hover:text-accent-strong"
              activeProps={{ className: 'border-accent font-semibold text-accent-strong' }}
              inactiveProps={{ className: 'border-transparent text-soft' }}
            >
              {words.screens[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
