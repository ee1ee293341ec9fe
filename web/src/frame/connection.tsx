import { useSyncExternalStore } from 'react'
import { Notice } from '../parts/notice.tsx'
import { useWords } from '../words/language.tsx'
import { frameWords } from './words.ts'

/** Says when the browser has no network; everything is asked anew when it is back. */
export function Connection() {
  const words = useWords(frameWords)
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (isOnline) return null
  return (
    <div className="mb-6">
      <Notice kind="warn">{words.offline}</Notice>
    </div>
  )
}

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}
