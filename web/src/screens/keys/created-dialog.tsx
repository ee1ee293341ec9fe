import { useState } from 'react'
import { useSettings } from '../../api/settings.ts'
import { writeCall } from '../../api/write-call.ts'
import type { CreatedKey } from '../../api/own-keys.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField } from '../../parts/field.tsx'
import { keyWords } from '../../parts/key-words.ts'
import { ShownKey } from '../../parts/shown-key.tsx'
import { useWords } from '../../words/language.tsx'
import { keysWords } from './words.ts'

/** It closes only once its reader says that they have the key. */
export function CreatedDialog({
  created,
  onClose,
}: {
  readonly created: CreatedKey
  readonly onClose: () => void
}) {
  const words = useWords(keysWords)
  const shared = useWords(keyWords)
  const [isStored, setIsStored] = useState(false)
  return (
    <Dialog title={words.createdTitle(created.name)} locked onClose={onClose}>
      <ShownKey apiKey={created.key} />
      <FirstCommand apiKey={created.key} />
      <CheckField
        label={shared.stored}
        hint={words.storedFirst}
        checked={isStored}
        onChange={(event) => setIsStored(event.target.checked)}
      />
      <div>
        <Button disabled={!isStored} onClick={onClose}>
          {words.done}
        </Button>
      </div>
    </Dialog>
  )
}

function FirstCommand({ apiKey }: { readonly apiKey: string }) {
  const words = useWords(keyWords)
  const keys = useWords(keysWords)
  const { data: settings } = useSettings()
  if (!settings) return null
  const call = { baseUrl: settings.base_url, brand: 'air', apiKey, prompt: keys.prompt }
  return (
    <details>
      <summary className="min-h-6 font-medium">{words.command}</summary>
      <div className="mt-2">
        <CodeBlock
          code={writeCall('curl', call)}
          label={words.command}
          copyLabel={words.copyCommand}
        />
      </div>
    </details>
  )
}
