import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccountId } from '../../api/chosen-account.tsx'
import { keysQuery } from '../../api/own-keys.ts'
import { useMay } from '../../api/rights.ts'
import { ActivityLink } from '../../parts/activity-link.tsx'
import { Button } from '../../parts/button.tsx'
import { KeepFocus } from '../../parts/keep-focus.tsx'
import { LookOnly } from '../../parts/look-only.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { partWords } from '../../parts/words.ts'
import { useWords } from '../../words/language.tsx'
import { KeyDialogs, type AskedAct } from './key-dialogs.tsx'
import { KeyLists } from './key-lists.tsx'
import { keysWords } from './words.ts'

/** The keys of the account: made, limited, rolled and revoked. */
export function KeysScreen() {
  const words = useWords(keysWords)
  const { more } = useWords(partWords)
  const accountId = useAccountId()
  const mayChange = useMay()('change_keys')
  const keys = useInfiniteQuery(keysQuery(accountId))
  const [act, setAct] = useState<AskedAct>()
  const [done, setDone] = useState<string>()
  function ask(next: AskedAct): void {
    setDone(undefined)
    setAct(next)
  }
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={<ScreenActions onCreate={() => ask({ kind: 'create' })} />}
    >
      {done !== undefined && (
        <KeepFocus key={done}>
          <Notice kind="good">{done}</Notice>
        </KeepFocus>
      )}
      <Loaded query={keys} lines={8}>
        {(rows) => (
          <>
            {!mayChange && <LookOnly />}
            <KeyLists keys={rows} onAct={ask} />
            {keys.hasNextPage && (
              <div>
                <Button
                  kind="second"
                  busy={keys.isFetchingNextPage}
                  onClick={() => void keys.fetchNextPage()}
                >
                  {more}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
      {act && (
        <KeyDialogs
          accountId={accountId}
          act={act}
          onAct={setAct}
          onDone={(text) => {
            setAct(undefined)
            setDone(text)
          }}
        />
      )}
    </Page>
  )
}

function ScreenActions({ onCreate }: { readonly onCreate: () => void }) {
  const { create } = useWords(keysWords)
  const mayChange = useMay()('change_keys')
  return (
    <>
      <ActivityLink kind="keys" />
      {mayChange && <Button onClick={onCreate}>{create}</Button>}
    </>
  )
}
