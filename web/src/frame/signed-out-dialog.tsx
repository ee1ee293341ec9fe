import { useSyncExternalStore } from 'react'
import { signedOut, signInAddress } from '../api/signed-out.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

/** A session that ends while somebody is at work: nothing on the page is lost before they say so. */
export function SignedOutDialog() {
  const words = useWords(frameWords)
  const hasEnded = useSyncExternalStore(signedOut.subscribe, signedOut.read)
  if (!hasEnded) return null
  return (
    <Dialog title={words.signedOut} locked onClose={() => undefined}>
      <p>{words.signedOutText}</p>
      <a
        href={signInAddress()}
        className="inline-flex min-h-10 items-center justify-center self-start rounded-lg bg-accent px-4 py-2 font-medium text-on-accent hover:bg-accent-strong"
      >
        {words.signIn}
      </a>
    </Dialog>
  )
}
