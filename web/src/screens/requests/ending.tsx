import { useWords } from '../../words/language.tsx'
import type { Receipt } from './requests-query.ts'
import { requestsWords } from './words.ts'

const LOOKS: Readonly<Record<Receipt['ended'], string>> = {
  completed: 'bg-good-paper text-good',
  client_left: 'bg-warn-paper text-warn',
  upstream_failed: 'bg-danger-paper text-danger',
}

export function Ending({ ended }: { readonly ended: Receipt['ended'] }) {
  const { endings } = useWords(requestsWords)
  return (
    <span className={`inline-block rounded-md px-2 py-0.5 whitespace-nowrap ${LOOKS[ended]}`}>
      {endings[ended]}
    </span>
  )
}
