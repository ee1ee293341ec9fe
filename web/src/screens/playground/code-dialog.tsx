import type { ChatRequest } from 'parley-client'
import { useState } from 'react'
import { useSettings } from '../../api/settings.ts'
import { CALL_LANGUAGES, type CallLanguage } from '../../api/write-call.ts'
import { Choice } from '../../parts/choice.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import type { Brand } from './conversation.ts'
import { settingsWords } from './settings-words.ts'
import { writeCode } from './write-code.ts'

export function CodeDialog({
  brand,
  request,
  onClose,
}: {
  readonly brand: Brand
  readonly request: ChatRequest
  readonly onClose: () => void
}) {
  const words = useWords(settingsWords)
  const settings = useSettings()
  const [kind, setKind] = useState<CallLanguage>('curl')
  return (
    <Dialog title={words.code} onClose={onClose}>
      <p className="text-soft">{words.codeIntro}</p>
      <Choice
        legend={words.language}
        isLegendHidden
        value={kind}
        options={CALL_LANGUAGES.map((one) => ({ value: one, label: words.languages[one] }))}
        onChoose={setKind}
      />
      <Loaded query={settings} lines={6}>
        {({ base_url: baseUrl }) => (
          // Another text is another thing to copy.
          <CodeBlock
            key={kind}
            label={words.languages[kind]}
            code={writeCode(kind, { baseUrl, brand, request })}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
