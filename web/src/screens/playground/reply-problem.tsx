import { ButtonLink } from '../../parts/button.tsx'
import { ProblemNote } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { sayProblem } from './say-problem.ts'
import { playgroundWords } from './words.ts'

/** Why there is no reply, or no more of it, and what can be done. */
export function ReplyProblem({
  problem,
  onRetry,
}: {
  readonly problem: Error
  readonly onRetry?: () => void
}) {
  const words = useWords(playgroundWords)
  const said = sayProblem(problem, words)
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="w-full">
        <ProblemNote problem={said.problem} {...(onRetry && { onRetry })} />
      </div>
      {said.code !== undefined && <code className="font-mono text-sm text-soft">{said.code}</code>}
      {said.wayOut === 'balance' && (
        <ButtonLink to="/console/balance" kind="second">
          {words.toBalance}
        </ButtonLink>
      )}
      {said.wayOut === 'limits' && (
        <ButtonLink to="/console/limits" kind="second">
          {words.toLimits}
        </ButtonLink>
      )}
    </div>
  )
}
