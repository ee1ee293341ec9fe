import { useChosenAccount } from '../../api/chosen-account.tsx'
import { writeEuros } from '../../format/figures.ts'
import { Facts } from '../../parts/facts.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

export function HomeScreen() {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  const { account } = useChosenAccount()
  return (
    <Page title={words.title}>
      <Card>
        <Facts
          facts={[
            [words.balance, writeEuros(account.balance_eur, locale)],
            [words.held, writeEuros(account.held_eur, locale)],
            [words.tier, account.tier],
          ]}
        />
      </Card>
    </Page>
  )
}
