import { useAccountId } from '../../api/chosen-account.tsx'
import { useMay } from '../../api/rights.ts'
import { useStanding } from '../../api/standing.ts'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { CallPanel } from './call-panel.tsx'
import { LatestRequests } from './latest-requests.tsx'
import { MinuteCard } from './minute-card.tsx'
import { NeverCalled } from './never-called.tsx'
import { TierCard } from './tier-card.tsx'
import { WeekSpend } from './week-spend.tsx'
import { homeWords } from './words.ts'

/** "Can I call now?", and what was called lately. */
export function HomeScreen() {
  const words = useWords(homeWords)
  const may = useMay()
  const standing = useStanding(useAccountId())
  return (
    <Page title={words.title}>
      <Loaded query={standing} lines={10}>
        {(stands) => (
          <>
            <CallPanel standing={stands} readAtMs={standing.dataUpdatedAt} />
            {stands.last_request === null && may('change_keys') && <NeverCalled />}
            <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
              <MinuteCard standing={stands} readAtMs={standing.dataUpdatedAt} />
              <TierCard standing={stands} />
            </div>
            {stands.last_request !== null && (
              <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
                {may('see_requests') && <LatestRequests />}
                <WeekSpend nowMs={stands.as_of} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
