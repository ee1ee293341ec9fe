import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { call } from '../../api/client.ts'
import { isLiveKey } from '../../api/is-live-key.ts'
import { keysOf, keysQuery, type CreatedKey } from '../../api/own-keys.ts'
import { useServiceNow } from '../../api/use-service-now.ts'
import { writeCount } from '../../format/figures.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { ProblemNote } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { startWords } from './words.ts'

const MAX_NAME = 100

export function NewKeyForm({
  accountId,
  onCreated,
}: {
  readonly accountId: string
  readonly onCreated: (created: CreatedKey) => void
}) {
  const words = useWords(startWords)
  const queries = useQueryClient()
  const [name, setName] = useState(words.firstName)
  const [isWrong, setIsWrong] = useState(false)
  const create = useMutation({
    mutationFn: () => {
      const given = { params: { account_id: accountId }, body: { name: name.trim() } }
      return call('post /console/api/accounts/{account_id}/keys', given)
    },
    onSuccess(created) {
      void queries.invalidateQueries({ queryKey: keysOf(accountId) })
      onCreated(created)
    },
  })
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const length = Array.from(name.trim()).length
    setIsWrong(length === 0 || length > MAX_NAME)
    if (length > 0 && length <= MAX_NAME) create.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="flex max-w-md min-w-0 flex-col gap-4">
      <p>{words.makeText}</p>
      <LiveKeys accountId={accountId} />
      <TextField
        label={words.name}
        problem={isWrong ? words.nameMissing : undefined}
        value={name}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      {create.error && <ProblemNote problem={create.error} />}
      <div>
        <Button type="submit" busy={create.isPending}>
          {words.create}
        </Button>
      </div>
    </form>
  )
}

/** Who has keys need not make one. */
function LiveKeys({ accountId }: { readonly accountId: string }) {
  const words = useWords(startWords)
  const { locale } = useSpeech()
  const nowMs = useServiceNow()
  const { data: keys = [] } = useInfiniteQuery(keysQuery(accountId))
  const live = keys.filter((key) => key.kind === 'secret' && isLiveKey(key, nowMs))
  if (live.length === 0) return null
  return <p className="text-soft">{words.has(writeCount(live.length, locale))}</p>
}
