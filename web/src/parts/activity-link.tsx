import { Link } from '@tanstack/react-router'
import { useWords } from '../words/language.tsx'
import { partWords } from './words.ts'

/** To what was done to what one is looking at. */
export function ActivityLink({
  kind,
}: {
  readonly kind: 'keys' | 'limits' | 'sign_in' | 'apps' | 'money'
}) {
  const words = useWords(partWords)
  return (
    <Link
      to="/console/activity"
      search={{ kind }}
      className="inline-block min-h-6 text-sm text-accent underline underline-offset-4"
    >
      {words.activity}
    </Link>
  )
}
