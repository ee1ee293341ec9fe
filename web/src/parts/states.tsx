import type { ReactNode } from 'react'
import { Problem } from '../api/client.ts'
import type { Translation, Words } from '../words/define-words.ts'
import { useWords } from '../words/language.tsx'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { partWords } from './words.ts'

/** What a query brings, once it is there; before that a skeleton, and its problem where it fails. */
export function Loaded<Data>({
  query,
  lines = 3,
  children,
}: {
  readonly query: Loading<Data>
  /** How much room to keep, so that nothing jumps. */
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) {
    return <ProblemNote problem={query.error} onRetry={() => void query.refetch()} />
  }
  return <Skeleton lines={lines} />
}

/** A query, of one answer or of pages. */
interface Loading<Data> {
  readonly data: Data | undefined
  readonly error: Error | null
  refetch(): Promise<unknown>
}

export function Skeleton({ lines }: { readonly lines: number }) {
  const words = useWords(partWords)
  const widths = ['w-full', 'w-5/6', 'w-2/3']
  return (
    <div role="status" className="flex animate-pulse flex-col gap-3">
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: lines }, (_line, index) => (
        <div key={index} className={`h-5 rounded bg-line ${widths[index % 3]}`} />
      ))}
    </div>
  )
}

/** Nothing yet: why, and what to do next. */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-lg border border-dashed border-edge p-6">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  )
}

export function ProblemNote({
  problem,
  onRetry,
}: {
  readonly problem: Error
  readonly onRetry?: () => void
}) {
  const words = useWords(partWords)
  return (
    <Notice kind="danger">
      <p>{describeProblem(problem, words)}</p>
      {problem instanceof Problem && problem.requestId !== undefined && (
        <p className="mt-1 text-sm">
          {words.request} <code className="font-mono">{problem.requestId}</code>
        </p>
      )}
      {onRetry && (
        <Button kind="second" className="mt-3" onClick={onRetry}>
          {words.tryAgain}
        </Button>
      )}
    </Notice>
  )
}

/** In the reader's language where we have words for it, else as the service says it. */
export function describeProblem(
  problem: Error,
  { problems }: Translation<Dictionary<typeof partWords>>,
): string {
  if (!(problem instanceof Problem)) return problems.broken
  switch (problem.code) {
    case 'offline':
      return problems.offline
    case 'unreadable':
      return problems.unreadable
    case 'not_found':
      return problems.missing
    case 'foreign_origin':
    case 'not_an_operator':
      return problems.forbidden
    case 'too_many_attempts':
      return problems.later(String(problem.retryAfterS ?? 60))
    default:
      return problem.message
  }
}

type Dictionary<Defined> = Defined extends Words<infer Inner> ? Inner : never
