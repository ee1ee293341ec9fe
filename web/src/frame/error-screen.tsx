import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Problem } from '../api/client.ts'
import { Page } from '../parts/page.tsx'
import { ProblemNote } from '../parts/states.tsx'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

const AGAIN_MS = 5_000

/** A screen that failed to load or to draw; the frame around it stays. */
export function ErrorScreen({ error }: ErrorComponentProps) {
  const words = useWords(frameWords)
  const router = useRouter()
  // Loading the page would lose it; the screen alone comes once the service is back.
  const isAway = error instanceof Problem
  useEffect(() => {
    if (!isAway) return
    const timer = setInterval(() => void router.invalidate(), AGAIN_MS)
    return () => clearInterval(timer)
  }, [isAway, router])
  return (
    <Page title={words.errorTitle}>
      <ProblemNote
        problem={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => (isAway ? void router.invalidate() : location.reload())}
      />
    </Page>
  )
}
