import { writeEuros } from '../../format/figures.ts'
import { useSpeech } from '../../words/language.tsx'

/** An amount, exact, as its reader writes it. */
export function Euros({ amount }: { readonly amount: string }) {
  return <span className="tabular-nums">{writeEuros(amount, useSpeech().locale)}</span>
}
