import type { ErrorComponentProps } from '@tanstack/react-router'
import { Page } from '../parts/page.tsx'
import { ProblemNote } from '../parts/states.tsx'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

/** A screen that failed to load or to draw; the frame around it stays. */
export function ErrorScreen({ error }: ErrorComponentProps) {
  const words = useWords(frameWords)
  return (
    <Page title={words.errorTitle}>
      <ProblemNote
        problem={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => location.reload()}
      />
    </Page>
  )
}
