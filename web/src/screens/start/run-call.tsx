import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CALL_LANGUAGES, writeCall, type CallLanguage } from '../../api/write-call.ts'
import { Choice } from '../../parts/choice.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { modelsQuery } from '../../api/models.ts'
import { startWords } from './words.ts'

/** A call that can be run as it stands. */
export function RunCall({
  baseUrl,
  apiKey,
}: {
  readonly baseUrl: string
  readonly apiKey: string | undefined
}) {
  const words = useWords(startWords)
  const models = useQuery(modelsQuery)
  const [language, setLanguage] = useState<CallLanguage>('curl')
  return (
    <Loaded query={models} lines={6}>
      {({ data }) => {
        // The first one is the cheapest.
        const model = data.find(({ enabled }) => enabled)
        if (!model) return <Notice kind="warn">{words.noModels}</Notice>
        const call = { baseUrl, brand: model.brand, apiKey, prompt: words.prompt }
        return (
          <div className="flex min-w-0 flex-col gap-4">
            <Choice
              legend={words.languages}
              isLegendHidden
              value={language}
              options={CALL_LANGUAGES.map((value) => ({
                value,
                label: words.languageNames[value],
              }))}
              onChoose={setLanguage}
            />
            <CodeBlock code={writeCall(language, call)} label={words.languageNames[language]} />
            <p className="text-sm text-soft">
              {apiKey === undefined ? words.runWithout : words.runWithKey}
            </p>
          </div>
        )
      }}
    </Loaded>
  )
}
