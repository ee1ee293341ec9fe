import { useState } from 'react'
import type { ReplyTo } from '../../../api/client.ts'
import { Button } from '../../../parts/button.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { useWords } from '../../../words/language.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { ShownOnceDialog } from '../shown-once-dialog.tsx'
import { ClientDialog, type ClientAct } from './client-dialog.tsx'
import { ClientList } from './client-list.tsx'
import { clientsWords } from './words.ts'

export type Client = ReplyTo<'get /operator/v1/clients'>['data'][number]
export type CreatedClient = ReplyTo<'post /operator/v1/clients'>

/** What came of an act: a sentence, and a secret that has to be shown before all else. */
export interface ClientOutcome {
  readonly sentence: string
  readonly withSecret?: CreatedClient
}

export function ClientsScreen() {
  const words = useWords(clientsWords)
  const [act, setAct] = useState<ClientAct>()
  const [outcome, setOutcome] = useState<ClientOutcome>()
  const { name = '', client_secret: secret } = outcome?.withSecret ?? {}
  return (
    <OperatorPage title={words.title} intro={words.intro}>
      <div>
        <Button onClick={() => setAct({ kind: 'create' })}>{words.create}</Button>
      </div>
      {outcome && (
        <Notice kind="good">
          <p className="wrap-anywhere">{outcome.sentence}</p>
        </Notice>
      )}
      <Card>
        <ClientList onAct={setAct} />
      </Card>
      {act && <ClientDialog act={act} onDone={setOutcome} onClose={() => setAct(undefined)} />}
      {outcome && typeof secret === 'string' && (
        <ShownOnceDialog
          title={words.secretOf(name)}
          label={words.secret}
          secret={secret}
          onClose={() => setOutcome({ sentence: outcome.sentence })}
        />
      )}
    </OperatorPage>
  )
}
