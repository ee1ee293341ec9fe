import { ButtonLink } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

export function NotFoundScreen() {
  const words = useWords(frameWords)
  return (
    <Page title={words.notFound} intro={words.notFoundText}>
      <div>
        <ButtonLink to="/console">{words.home}</ButtonLink>
      </div>
    </Page>
  )
}
