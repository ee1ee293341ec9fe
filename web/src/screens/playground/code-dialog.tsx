import { useState } from 'react'
import { useSettings } from '../../api/settings.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import type { Brand } from './conversation.ts'
import { settingsWords } from './settings-words.ts'
import type { ChatBody } from './write-body.ts'
import { CODE_KINDS, writeCode, type CodeKind } from './write-code.ts'

export function CodeDialog({
  brand,
  body,
  onClose,
}: {
  readonly brand: Brand
  readonly body: ChatBody
  readonly onClose: () => void
}) {
  const words = useWords(settingsWords)
  const settings = useSettings()
  const [kind, setKind] = useState<CodeKind>('curl')
  return (
    <Dialog title={words.code} onClose={onClose}>
      <p className="text-soft">{words.codeIntro}</p>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{words.language}</legend>
        {CODE_KINDS.map((one) => (
          <label
            key={one}
            className="relative min-h-8 cursor-pointer rounded-lg border border-line px-3 py-1 has-checked:border-accent has-checked:bg-tint has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="code"
              className="sr-only"
              checked={one === kind}
              onChange={() => setKind(one)}
            />
            {words.languages[one]}
          </label>
        ))}
      </fieldset>
      <Loaded query={settings} lines={6}>
        {({ base_url: baseUrl }) => (
          // Another text is another thing to copy.
          <CodeBlock
            key={kind}
            label={words.languages[kind]}
            code={writeCode(kind, { baseUrl, brand, body })}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
