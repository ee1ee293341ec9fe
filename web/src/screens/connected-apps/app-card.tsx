import { writeDate } from '../../format/times.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { ConnectedApp } from './apps-query.ts'
import { describeScope } from './describe-scope.ts'
import { connectedAppsWords } from './words.ts'

export function AppCard({
  app,
  onRevoke,
}: {
  readonly app: ConnectedApp
  readonly onRevoke: () => void
}) {
  const words = useWords(connectedAppsWords)
  const { locale } = useSpeech()
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 grow basis-64">
          <h2 className="text-lg">
            <bdi>{app.name}</bdi>
          </h2>
          <p className="text-sm text-soft">
            {words.since(writeDate(app.consented_at, locale))} ·{' '}
            {words.lastUsed(writeDate(app.last_used_at, locale))}
          </p>
          <p className="mt-4 font-medium">{words.knows}</p>
          <ul className="mt-1 list-disc pl-5 wrap-anywhere">
            {app.scopes.map((scope) => (
              <li key={scope}>{describeScope(scope, words)}</li>
            ))}
          </ul>
        </div>
        <Button kind="danger" aria-label={words.revokeOf(app.name)} onClick={onRevoke}>
          {words.revoke}
        </Button>
      </div>
    </Card>
  )
}
