import { useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { withoutLastReply, type Turn } from './conversation.ts'
import { ReplyView } from './reply-view.tsx'
import { ResultView } from './result-view.tsx'
import { StreamAnnouncer } from './stream-announcer.tsx'
import type { Chat } from './use-chat.ts'
import { useFollow } from './use-follow.ts'
import { playgroundWords } from './words.ts'

/** All that was said, the newest last, and kept in sight as it grows. */
export function ConversationView({
  chat,
  isReady,
  onStart,
}: {
  readonly chat: Chat
  readonly isReady: boolean
  readonly onStart: (message: string) => void
}) {
  const words = useWords(playgroundWords)
  const { turns } = chat
  const [whole, end] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  useFollow(whole, end, turns.length)
  return (
    // What scrolls must be reached by the keyboard.
    <div
      role="region"
      aria-label={words.conversation}
      tabIndex={0}
      className="min-h-0 grow overflow-y-auto p-4 sm:p-6"
    >
      <div ref={whole} className="flex flex-col gap-6">
        {turns.length === 0 && <Starters onStart={onStart} />}
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            {...(isReady &&
              index === turns.length - 1 && { onRetry: () => chat.retry(withoutLastReply(turns)) })}
          />
        ))}
      </div>
      <div ref={end} className="h-px" />
      <StreamAnnouncer turns={turns} />
    </div>
  )
}

function TurnView({ turn, onRetry }: { readonly turn: Turn; readonly onRetry?: () => void }) {
  const words = useWords(playgroundWords)
  switch (turn.kind) {
    case 'user':
      return (
        <div className="max-w-[85%] self-end rounded-2xl rounded-br-sm bg-tint px-4 py-3">
          <p className="sr-only">{words.you}</p>
          <p className="wrap-anywhere whitespace-pre-wrap">{turn.content}</p>
        </div>
      )
    case 'result':
      return <ResultView result={turn} />
    case 'reply':
      return <ReplyView reply={turn} {...(onRetry && { onRetry })} />
  }
}

function Starters({ onStart }: { readonly onStart: (message: string) => void }) {
  const words = useWords(playgroundWords)
  return (
    <EmptyState title={words.empty}>
      <p className="text-soft">{words.emptyText}</p>
      <ul className="flex flex-col items-start gap-1">
        {words.starters.map((starter) => (
          <li key={starter}>
            <Button kind="quiet" className="px-0! text-left" onClick={() => onStart(starter)}>
              {starter}
            </Button>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
