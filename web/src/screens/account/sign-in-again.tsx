import { Notice } from '../../parts/notice.tsx'
import { useWords } from '../../words/language.tsx'
import { problemWords } from './problem-words.ts'

const ADDRESS = `/sign-in?${new URLSearchParams({ again: '1', next: '/console/account' }).toString()}`

/** What cannot be undone takes a session that is young; the way there leads back here. */
export function SignInAgain() {
  const words = useWords(problemWords)
  return (
    <Notice kind="warn">
      <p>{words.signInAgain}</p>
      <a href={ADDRESS} className="mt-1 inline-block font-medium underline underline-offset-4">
        {words.signInAgainLink}
      </a>
    </Notice>
  )
}
