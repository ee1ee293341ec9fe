import { Card } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { AuditList } from './audit-list.tsx'
import { auditWords } from './words.ts'

export function AuditScreen() {
  const words = useWords(auditWords)
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <Card>
        <AuditList />
      </Card>
    </OperatorPage>
  )
}
