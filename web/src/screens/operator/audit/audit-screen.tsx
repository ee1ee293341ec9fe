import { Page } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { auditWords } from './words.ts'

export function AuditScreen() {
  const words = useWords(auditWords)
  return <Page title={words.title}>{null}</Page>
}
