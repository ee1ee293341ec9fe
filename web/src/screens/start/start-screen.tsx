import { useState } from 'react'
import { useAccountId } from '../../api/chosen-account.tsx'
import { useSettings } from '../../api/settings.ts'
import { useStanding, type Standing } from '../../api/standing.ts'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { MakeKey, type ShownOwnKey } from './make-key.tsx'
import { RunCall } from './run-call.tsx'
import { SeeCall } from './see-call.tsx'
import { Step } from './step.tsx'
import { startWords } from './words.ts'

/** From nothing to a call that was seen to arrive. */
export function StartScreen() {
  const words = useWords(startWords)
  const accountId = useAccountId()
  const standing = useStanding(accountId)
  return (
    <Page title={words.title} intro={words.intro}>
      <Loaded query={standing} lines={10}>
        {(stands) => <Steps key={accountId} accountId={accountId} standing={stands} />}
      </Loaded>
    </Page>
  )
}

function Steps({
  accountId,
  standing,
}: {
  readonly accountId: string
  readonly standing: Standing
}) {
  const words = useWords(startWords)
  const settings = useSettings()
  const [made, setMade] = useState<ShownOwnKey>()
  // Whichever was there before is not the one that is waited for.
  const [before] = useState(standing.last_request?.request_id)
  const lastId = standing.last_request?.request_id
  const hasArrived = lastId !== undefined && lastId !== before
  return (
    <ol className="flex flex-col gap-6">
      <Step number={1} title={words.make} isDone={made !== undefined}>
        <MakeKey accountId={accountId} made={made} onMade={setMade} />
      </Step>
      <Step number={2} title={words.run} isDone={hasArrived}>
        <Loaded query={settings} lines={6}>
          {({ base_url: baseUrl }) => <RunCall baseUrl={baseUrl} apiKey={made?.key} />}
        </Loaded>
      </Step>
      <Step number={3} title={words.see} isDone={hasArrived}>
        <SeeCall accountId={accountId} standing={standing} hasArrived={hasArrived} />
      </Step>
    </ol>
  )
}
