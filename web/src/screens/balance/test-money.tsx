import { useWords } from '../../words/language.tsx'
import { balanceWords } from './words.ts'

/** Wherever money is that nobody really pays. */
export function TestMoney() {
  const words = useWords(balanceWords)
  return (
    <span className="inline-block rounded-md bg-warn-paper px-2 py-0.5 text-sm font-medium text-warn">
      {words.testMoney}
    </span>
  )
}
