import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActivityLink } from '../../parts/activity-link.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { KeepFocus } from '../../parts/keep-focus.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { AppCard } from './app-card.tsx'
import { appsQuery, type ConnectedApp } from './apps-query.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import { connectedAppsWords } from './words.ts'

export function ConnectedAppsScreen() {
  const words = useWords(connectedAppsWords)
  const apps = useQuery(appsQuery)
  const [asked, setAsked] = useState<ConnectedApp>()
  const [revoked, setRevoked] = useState<string>()
  return (
    <Page title={words.title} intro={words.intro} actions={<ActivityLink kind="apps" />}>
      {revoked !== undefined && (
        <KeepFocus key={revoked}>
          <Notice kind="good">{words.revoked(revoked)}</Notice>
        </KeepFocus>
      )}
      <Loaded query={apps} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <NoApps />
          ) : (
            data.map((app) => (
              <AppCard key={app.client_id} app={app} onRevoke={() => setAsked(app)} />
            ))
          )
        }
      </Loaded>
      {asked && (
        <RevokeDialog
          app={asked}
          onClose={() => setAsked(undefined)}
          onRevoked={() => {
            setAsked(undefined)
            setRevoked(asked.name)
          }}
        />
      )}
    </Page>
  )
}

function NoApps() {
  const words = useWords(connectedAppsWords)
  return (
    <Card>
      <EmptyState title={words.empty}>
        <p className="max-w-prose text-soft">{words.emptyText}</p>
        <CodeBlock label={words.command} code="npx parley login" />
      </EmptyState>
    </Card>
  )
}
