import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState, Loaded, ProblemNote } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { modelStatesQuery, type ModelState } from '../model-queries.ts'
import { ModelCard } from './model-card.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import { modelsWords } from './words.ts'

export function ModelList({ onDone }: { readonly onDone: (sentence: string) => void }) {
  const words = useWords(modelsWords)
  const states = useQuery(modelStatesQuery)
  const [chosen, setChosen] = useState<ModelState>()
  return (
    <Loaded query={states} lines={12}>
      {({ data }) => (
        <>
          {states.isRefetchError && (
            <ProblemNote problem={states.error} onRetry={() => void states.refetch()} />
          )}
          {data.length === 0 && <EmptyState title={words.none} />}
          {data.map((model) => (
            <ModelCard key={model.brand} model={model} onSwitch={() => setChosen(model)} />
          ))}
          <p className="text-sm text-soft">{words.since}</p>
          {chosen && (
            <SwitchDialog model={chosen} onDone={onDone} onClose={() => setChosen(undefined)} />
          )}
        </>
      )}
    </Loaded>
  )
}
