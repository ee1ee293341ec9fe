import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { ActivityLink } from '../../parts/activity-link.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { Loaded, ProblemNote } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { DoneNotice } from './done-notice.tsx'
import { EndOthersDialog } from './end-others-dialog.tsx'
import { SessionRow } from './session-row.tsx'
import { sessionsQuery, type Session } from './sessions-query.ts'
import { accountWords } from './words.ts'

/** Where one is signed in: this browser first, the others with a way to end them. */
export function SessionsCard() {
  const words = useWords(accountWords)
  const sessions = useQuery(sessionsQuery)
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [done, setDone] = useState<string>()
  const end = useMutation({
    mutationFn: ({ id }: { readonly id: string; readonly name: string }) =>
      call('delete /console/api/sessions/{session_id}', { params: { session_id: id } }),
    onMutate: () => setDone(undefined),
    onSuccess: (_nothing, { name }) => setDone(words.sessionEnded(name)),
    onSettled: () => queries.invalidateQueries(sessionsQuery),
  })
  return (
    <Card title={words.sessions} aside={<ActivityLink kind="sign_in" />}>
      <p className="mb-4 max-w-prose text-soft">{words.sessionsText}</p>
      <DoneNotice text={done} />
      {end.error && <ProblemNote problem={end.error} />}
      <Loaded query={sessions}>
        {({ data }) => (
          <>
            <ul>
              {sortSessions(data).map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  busy={end.isPending && end.variables.id === session.id}
                  onEnd={(name) => end.mutate({ id: session.id, name })}
                />
              ))}
            </ul>
            {data.length > 1 && (
              <Button kind="danger" className="mt-4" onClick={() => setIsAsking(true)}>
                {words.endOthers}
              </Button>
            )}
          </>
        )}
      </Loaded>
      {isAsking && (
        <EndOthersDialog
          onDone={() => {
            setIsAsking(false)
            setDone(words.othersEnded)
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  )
}

function sortSessions(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted((one, other) => Number(other.current) - Number(one.current))
}
