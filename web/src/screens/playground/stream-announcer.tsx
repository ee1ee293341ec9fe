import { useEffect, useRef } from 'react'
import { useWords } from '../../words/language.tsx'
import { cutAnnouncement } from './announce.ts'
import type { Turn } from './conversation.ts'
import { playgroundWords } from './words.ts'

/** Nobody can listen to each word as it comes: what has come is read out every few seconds. */
const PAUSE_MS = 3_000

export function StreamAnnouncer({ turns }: { readonly turns: readonly Turn[] }) {
  const words = useWords(playgroundWords)
  const last = turns.at(-1)
  const reply = last?.kind === 'reply' ? last : undefined
  const state = reply?.state
  const place = useRef<HTMLParagraphElement>(null)
  const content = useRef('')
  /** How much of it has been read out; undefined where nothing is under way. */
  const saidLength = useRef<number>(undefined)
  useEffect(() => {
    content.current = reply?.content ?? ''
  })
  useEffect(() => {
    const say = (text: string): void => {
      if (place.current) place.current.textContent = text
    }
    if (state !== 'under_way') {
      if (saidLength.current === undefined) return undefined
      const rest = content.current.slice(saidLength.current)
      saidLength.current = undefined
      say(`${rest} ${state === 'complete' ? words.announceEnd : words.announceStop}`)
      return undefined
    }
    saidLength.current ??= 0
    say(words.underWay)
    const timer = setInterval(() => {
      const cut = cutAnnouncement(content.current, saidLength.current ?? 0)
      saidLength.current = cut.length
      if (cut.piece !== '') say(cut.piece)
    }, PAUSE_MS)
    return () => clearInterval(timer)
  }, [state, words])
  return <p ref={place} aria-live="polite" className="sr-only" />
}
