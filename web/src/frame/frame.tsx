import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, type ReactNode } from 'react'
import { ChosenAccountProvider } from '../api/chosen-account.tsx'
import { Problem } from '../api/client.ts'
import { LiveStanding } from '../api/live-standing.tsx'
import { accountsQuery, personQuery } from '../api/own.ts'
import { signInAddress } from '../api/signed-out.ts'
import { ProblemNote, Skeleton } from '../parts/states.tsx'
import { useWords } from '../words/language.tsx'
import { Brand } from './brand.tsx'
import { Connection } from './connection.tsx'
import { ForRole } from './for-role.tsx'
import { Navigation } from './navigation.tsx'
import { SignedOutDialog } from './signed-out-dialog.tsx'
import { frameWords } from './words.ts'

/** What stands around every screen. Nothing is shown to whoever is not signed in. */
export function Frame() {
  const person = useQuery(personQuery)
  const accounts = useQuery(accountsQuery)
  const isStranger = person.error instanceof Problem && person.error.code === 'not_signed_in'
  useEffect(() => {
    if (isStranger && !person.data) location.replace(signInAddress())
  }, [isStranger, person.data])
  const retry = (): void => void Promise.all([person.refetch(), accounts.refetch()])
  const problem = isStranger ? undefined : (person.error ?? accounts.error ?? undefined)
  if (person.data && accounts.data) {
    return (
      <ChosenAccountProvider>
        <LiveStanding />
        <Shell navigation={<Navigation person={person.data} />}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <ForRole>
              <Outlet />
            </ForRole>
          </Suspense>
        </Shell>
        <SignedOutDialog />
      </ChosenAccountProvider>
    )
  }
  return (
    <Shell navigation={<Brand />}>
      {problem ? <ProblemNote problem={problem} onRetry={retry} /> : <Skeleton lines={6} />}
    </Shell>
  )
}

function Shell({
  navigation,
  children,
}: {
  readonly navigation: ReactNode
  readonly children: ReactNode
}) {
  const words = useWords(frameWords)
  return (
    <>
      <a
        href="#screen"
        className="absolute -top-20 left-2 z-20 rounded-lg bg-accent px-4 py-2 text-on-accent focus:top-2"
      >
        {words.skip}
      </a>
      <div className="mx-auto grid min-h-dvh max-w-7xl grid-cols-[minmax(0,1fr)] content-start md:grid-cols-[15rem_minmax(0,1fr)] md:content-stretch">
        {navigation}
        <main id="screen" tabIndex={-1} className="min-w-0 px-4 py-6 outline-none sm:px-8 md:py-10">
          <Connection />
          {children}
        </main>
      </div>
    </>
  )
}
