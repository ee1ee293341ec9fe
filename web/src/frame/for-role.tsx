import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useChosenAccount } from '../api/chosen-account.tsx'
import { useMayOpen } from '../api/screen-rights.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { roleWords } from '../parts/role-words.ts'
import { useWords } from '../words/language.tsx'

/** The screen, or, to whose role it is not for, why there is none: they may have come by its address. */
export function ForRole({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation()
  const mayOpen = useMayOpen()
  return mayOpen(pathname) ? children : <NotYours />
}

function NotYours() {
  const words = useWords(roleWords)
  const { role } = useChosenAccount().account
  return (
    <Page title={words.notYours} intro={words.notYoursText(words.roles[role])}>
      <div>
        <ButtonLink to="/console/members">{words.toMembers}</ButtonLink>
      </div>
    </Page>
  )
}
