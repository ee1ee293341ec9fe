import { useQuery } from '@tanstack/react-query'
import { useWords } from '../../../words/language.tsx'
import { personOfIdQuery } from '../person-queries.ts'
import { auditWords } from './words.ts'

/** Who did it: by a name of ours, by the address of a person, else as it stands in the log. */
export function Actor({ actor }: { readonly actor: string }) {
  const { actors } = useWords(auditWords)
  const named: Readonly<Record<string, string>> = actors
  // A person is asked for once, however many lines are theirs; who was removed is no more.
  const person = useQuery({
    ...personOfIdQuery(actor),
    enabled: actor.startsWith('per_'),
    staleTime: Infinity,
    retry: false,
  })
  return (
    <span className="inline-block min-w-44 wrap-anywhere">
      {named[actor] ?? person.data?.email ?? <code className="font-mono text-xs">{actor}</code>}
    </span>
  )
}
