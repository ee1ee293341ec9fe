import { ButtonLink } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

export function NeverCalled() {
  const words = useWords(homeWords)
  return (
    <Card>
      <EmptyState title={words.never}>
        <p className="max-w-prose text-soft">{words.neverText}</p>
        <ButtonLink to="/console/start">{words.start}</ButtonLink>
      </EmptyState>
    </Card>
  )
}
