import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { Card } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { AlertsForm } from './alerts-form.tsx'
import { alertsQuery, type Alerts } from './alerts.ts'
import { limitsWords } from './words.ts'

/** What only tells. The ceiling, which refuses, is a card of its own. */
export function AlertsCard({
  accountId,
  hasCeiling,
}: {
  readonly accountId: string
  readonly hasCeiling: boolean
}) {
  const words = useWords(limitsWords)
  const queries = useQueryClient()
  const { queryKey, ...query } = alertsQuery(accountId)
  const alerts = useQuery({ queryKey, ...query })
  const saving = useMutation({
    mutationFn: (body: Alerts) =>
      call('put /console/api/accounts/{account_id}/alerts', {
        params: { account_id: accountId },
        body,
      }),
    onSuccess: (saved) => void queries.setQueryData(queryKey, saved),
  })
  return (
    <Card title={words.alerts}>
      <div className="flex flex-col gap-4">
        <p className="text-sm wrap-anywhere text-soft">{words.alertsText}</p>
        <Loaded query={alerts} lines={5}>
          {(settings) => <AlertsForm settings={settings} hasCeiling={hasCeiling} saving={saving} />}
        </Loaded>
      </div>
    </Card>
  )
}
