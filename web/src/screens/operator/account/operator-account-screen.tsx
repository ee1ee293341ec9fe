import { useParams } from '@tanstack/react-router'
import { useWords } from '../../../words/language.tsx'
import { TextLink } from '../text-link.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { WholeAccount } from './whole-account.tsx'
import { operatorAccountWords } from './words.ts'

export function OperatorAccountScreen() {
  const words = useWords(operatorAccountWords)
  const { accountId } = useParams({ from: '/console/operator/accounts/$accountId' })
  return (
    <OperatorPage
      title={words.title}
      intro={<TextLink to="/console/operator/accounts">{words.back}</TextLink>}
    >
      {/* Another account is another page: nothing that was typed for one is sent for the other. */}
      <WholeAccount key={accountId} accountId={accountId} />
    </OperatorPage>
  )
}
