import { useState } from 'react'
import { Notice } from '../../../parts/notice.tsx'
import { useWords } from '../../../words/language.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { ModelList } from './model-list.tsx'
import { modelsWords } from './words.ts'

export function ModelsScreen() {
  const words = useWords(modelsWords)
  const [done, setDone] = useState<string>()
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <ModelList onDone={setDone} />
    </OperatorPage>
  )
}
