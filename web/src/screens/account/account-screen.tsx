import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { DataCard } from './data-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { RemoveCard } from './remove-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { accountWords } from './words.ts'

export function AccountScreen() {
  const words = useWords(accountWords)
  return (
    <Page title={words.title} intro={words.intro}>
      <ProfileCard />
      <SignInCard />
      <PasskeysCard />
      <SessionsCard />
      <DataCard />
      <RemoveCard />
    </Page>
  )
}
