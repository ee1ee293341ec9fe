import { useAccountId } from '../../api/chosen-account.tsx'
import { useMay } from '../../api/rights.ts'
import { useStanding } from '../../api/standing.ts'
import { ActivityLink } from '../../parts/activity-link.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { AllTiers } from './all-tiers.tsx'
import { CeilingCard } from './ceiling-card.tsx'
import { MinuteCard } from './minute-card.tsx'
import { TierCard } from './tier-card.tsx'
import { limitsWords } from './words.ts'

export function LimitsScreen() {
  const words = useWords(limitsWords)
  const accountId = useAccountId()
  const may = useMay()
  const standing = useStanding(accountId)
  return (
    <Page title={words.title} intro={words.intro} actions={<ActivityLink kind="limits" />}>
      <Loaded query={standing} lines={8}>
        {(now) => (
          <>
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <TierCard standing={now} />
              <MinuteCard standing={now} />
              {/* Another account has fields of its own. */}
              <CeilingCard key={accountId} standing={now} />
              {may('see_money') && (
                <AlertsCard
                  key={`alerts ${accountId}`}
                  accountId={accountId}
                  hasCeiling={now.ceiling.eur !== null}
                />
              )}
            </div>
            <AllTiers tier={now.account.tier} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
