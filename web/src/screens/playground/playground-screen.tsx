import { useQuery } from '@tanstack/react-query'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { modelsQuery } from '../../api/models.ts'
import { Playground } from './playground.tsx'
import { playgroundWords } from './words.ts'

export function PlaygroundScreen() {
  const words = useWords(playgroundWords)
  const models = useQuery(modelsQuery)
  return (
    <Page title={words.title} intro={words.intro}>
      <Loaded query={models} lines={8}>
        {({ data }) => <Playground models={data} />}
      </Loaded>
    </Page>
  )
}
