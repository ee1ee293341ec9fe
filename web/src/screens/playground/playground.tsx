import { useState } from 'react'
import { CodeDialog } from './code-dialog.tsx'
import { Composer } from './composer.tsx'
import { findOpenCalls, type ConsoleModel, type Turn } from './conversation.ts'
import { ConversationView } from './conversation-view.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { ResultForm } from './result-form.tsx'
import { SettingsCard } from './settings-card.tsx'
import { Toolbar } from './toolbar.tsx'
import { useChat, type Chat } from './use-chat.ts'
import { findProblems, writeBody, type Settings } from './write-body.ts'

export function Playground({ models }: { readonly models: readonly ConsoleModel[] }) {
  const [settings, setSettings] = useState<Settings>(() => chooseFirst(models))
  const [draft, setDraft] = useState('')
  const [isCodeOpen, setIsCodeOpen] = useState(false)
  const model = models.find(({ brand }) => brand === settings.brand)
  const takesTools = model?.tools ?? false
  const problems = findProblems(settings, takesTools)
  const chat = useChat(settings, takesTools)
  const { turns, isUnderWay } = chat
  const isReady = Object.keys(problems).length === 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="flex min-w-0 flex-col rounded-xl border border-line bg-card shadow-xs lg:sticky lg:top-6 lg:h-[calc(100dvh-12rem)] lg:min-h-144">
        <Toolbar
          models={models}
          brand={settings.brand}
          onBrand={(brand) => setSettings({ ...settings, brand })}
          onCode={
            isReady && turns.length + draft.length > 0 ? () => setIsCodeOpen(true) : undefined
          }
          onClear={turns.length > 0 ? chat.clear : undefined}
        />
        <ConversationView chat={chat} isReady={isReady} onStart={setDraft} />
        <div className="border-t border-line p-4 sm:p-6">
          <Answer chat={chat} draft={draft} onDraft={setDraft} isReady={isReady} />
        </div>
      </div>
      <SettingsCard
        models={models}
        settings={settings}
        problems={problems}
        onSettings={setSettings}
      />
      {isCodeOpen && (
        <CodeDialog
          brand={settings.brand}
          request={writeBody(settings, takesTools, withDraft(turns, draft))}
          onClose={() => setIsCodeOpen(false)}
        />
      )}
      <LeaveGuard isUnderWay={isUnderWay} onLeave={chat.stop} />
    </div>
  )
}

/** What somebody says next: a message, or the results that the model waits for. */
function Answer({
  chat,
  draft,
  onDraft,
  isReady,
}: {
  readonly chat: Chat
  readonly draft: string
  readonly onDraft: (draft: string) => void
  readonly isReady: boolean
}) {
  const calls = findOpenCalls(chat.turns)
  if (calls.length > 0) {
    // Each set of calls begins with empty fields.
    return (
      <ResultForm
        key={chat.turns.length}
        calls={calls}
        isReady={isReady}
        onSend={chat.answerCalls}
      />
    )
  }
  return (
    <Composer
      draft={draft}
      onDraft={onDraft}
      isReady={isReady}
      isUnderWay={chat.isUnderWay}
      onSend={() => {
        chat.say(draft)
        onDraft('')
      }}
      onStop={chat.stop}
    />
  )
}

function chooseFirst(models: readonly ConsoleModel[]): Settings {
  const first = models.find(({ enabled }) => enabled) ?? models[0]
  return { brand: first?.brand ?? 'air', system: '', temperature: '', maxTokens: '', tools: '' }
}

/** What would be sent now. */
function withDraft(turns: readonly Turn[], draft: string): readonly Turn[] {
  return draft.trim() === '' ? turns : [...turns, { kind: 'user', id: 0, content: draft }]
}
