import { useState } from 'react'
import { call, type ReplyTo } from '../../../api/client.ts'
import { Button } from '../../../parts/button.tsx'
import { CodeBlock } from '../../../parts/code-block.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Card } from '../../../parts/page.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useWords } from '../../../words/language.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { ShownOnceDialog } from '../shown-once-dialog.tsx'
import { usePages } from '../use-pages.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { operatorAccountWords } from './words.ts'

export type ApiKey = ReplyTo<'get /operator/v1/accounts/{account_id}/keys'>['data'][number]
export type CreatedKey = ReplyTo<'post /operator/v1/accounts/{account_id}/keys'>

type Under = { readonly kind: 'create' } | { readonly kind: 'revoke'; readonly apiKey: ApiKey }

export function KeyList({ accountId }: { readonly accountId: string }) {
  const { keys: words } = useWords(operatorAccountWords)
  const [under, setUnder] = useState<Under>()
  const [created, setCreated] = useState<CreatedKey>()
  const [revoked, setRevoked] = useState<string>()
  const pages = usePages(['keys', accountId], (cursor, signal) =>
    call(
      'get /operator/v1/accounts/{account_id}/keys',
      { params: { account_id: accountId }, query: { cursor } },
      signal,
    ),
  )
  const close = (): void => setUnder(undefined)
  return (
    <Card
      title={words.title}
      aside={<Button onClick={() => setUnder({ kind: 'create' })}>{words.create}</Button>}
    >
      <div className="flex min-w-0 flex-col gap-4">
        {revoked !== undefined && <Notice kind="good">{words.revokedNow(revoked)}</Notice>}
        <PagedRows pages={pages} empty={<NoKeys accountId={accountId} />}>
          {(keys) => (
            <KeyTable keys={keys} onRevoke={(apiKey) => setUnder({ kind: 'revoke', apiKey })} />
          )}
        </PagedRows>
      </div>
      {under?.kind === 'create' && (
        <CreateKeyDialog accountId={accountId} onDone={setCreated} onClose={close} />
      )}
      {under?.kind === 'revoke' && (
        <RevokeKeyDialog
          accountId={accountId}
          apiKey={under.apiKey}
          onDone={setRevoked}
          onClose={close}
        />
      )}
      {created && (
        <ShownOnceDialog
          title={words.keyOf(created.name)}
          label={words.whole}
          secret={created.key}
          onClose={() => setCreated(undefined)}
        />
      )}
    </Card>
  )
}

function NoKeys({ accountId }: { readonly accountId: string }) {
  const { keys: words } = useWords(operatorAccountWords)
  return (
    <EmptyState title={words.none}>
      <p>{words.noneText}</p>
      <CodeBlock
        code={`npx parley key create ${accountId} --name production`}
        label={words.command}
      />
    </EmptyState>
  )
}
