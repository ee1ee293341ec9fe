import type { ToolCall } from 'parley-client'
import { useWords } from '../../words/language.tsx'
import type { ReplyTurn } from './conversation.ts'
import { PlainBlock } from './plain-block.tsx'
import { ReceiptFacts } from './receipt-facts.tsx'
import { ReplyProblem } from './reply-problem.tsx'
import { playgroundWords } from './words.ts'
import { writeArguments } from './write-arguments.ts'

/** A reply as it comes, and what it was when it is over. */
export function ReplyView({
  reply,
  onRetry,
}: {
  readonly reply: ReplyTurn
  /** Where nothing came after it. */
  readonly onRetry?: () => void
}) {
  const words = useWords(playgroundWords)
  const { content, reasoning, toolCalls, state } = reply
  const isUnderWay = state === 'under_way'
  const isSilent = content === '' && toolCalls.length === 0
  return (
    <article aria-busy={isUnderWay} className="flex min-w-0 flex-col gap-3">
      <p className="font-mono text-sm font-semibold text-accent">{reply.brand}</p>
      {reasoning !== '' && (
        <details className="rounded-lg border border-line bg-paper px-4 py-2 text-sm">
          <summary className="min-h-6 font-medium text-soft">{words.reasoning}</summary>
          <p className="mt-2 wrap-anywhere whitespace-pre-wrap text-soft">{reasoning}</p>
        </details>
      )}
      {content !== '' && <p className="wrap-anywhere whitespace-pre-wrap">{content}</p>}
      {isUnderWay && <p className="animate-pulse text-sm text-soft">{words.underWay}</p>}
      {state === 'complete' && isSilent && <p className="text-soft">{words.nothing}</p>}
      {toolCalls.map((call) => (
        <CallView key={call.id} call={call} />
      ))}
      <HowItEnded reply={reply} />
      {reply.problem && <ReplyProblem problem={reply.problem} {...(onRetry && { onRetry })} />}
      {!isUnderWay && reply.requestId !== undefined && <ReceiptFacts requestId={reply.requestId} />}
    </article>
  )
}

function CallView({ call: { function: asked } }: { readonly call: ToolCall }) {
  const words = useWords(playgroundWords)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-sm font-medium wrap-anywhere">{words.call(asked.name)}</p>
      <PlainBlock
        label={words.callArguments(asked.name)}
        text={writeArguments(asked.arguments ?? '{}')}
      />
    </div>
  )
}

function HowItEnded({ reply: { state, finishReason } }: { readonly reply: ReplyTurn }) {
  const words = useWords(playgroundWords)
  const known: Readonly<Record<string, string>> = words.finish
  const finish = finishReason === undefined ? undefined : known[finishReason]
  const text = state === 'stopped' ? words.stopped : finish
  return text === undefined ? null : <p className="text-sm text-warn">{text}</p>
}
