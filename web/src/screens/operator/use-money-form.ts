import { useState } from 'react'
import { isAmount } from './is-amount.ts'
import { suggestNewReference } from './suggest-reference.ts'

export interface MoneyForm {
  readonly amount: string
  readonly reference: string
  readonly isAmountWrong: boolean
  readonly isReferenceWrong: boolean
  /** What is sent. */
  readonly wanted: { readonly amount_eur: string; readonly reference: string }
  setAmount(amount: string): void
  setReference(reference: string): void
  /** Whether it can be sent; from then on it says what cannot. */
  isReady(): boolean
  /** For the next one: another reference, or it would be taken for the same. */
  clear(): void
}

/** An amount, and the reference under which it is moved once, however often it is sent. */
export function useMoneyForm(purpose: string, decimals: number, atFirst = ''): MoneyForm {
  const [amount, setAmount] = useState(atFirst)
  const [reference, setReference] = useState(() => suggestNewReference(purpose))
  const [isSent, setIsSent] = useState(false)
  const wanted = { amount_eur: amount.trim(), reference: reference.trim() }
  const hasAmount = isAmount(wanted.amount_eur, decimals)
  const hasReference = wanted.reference !== ''
  return {
    amount,
    reference,
    isAmountWrong: isSent && !hasAmount,
    isReferenceWrong: isSent && !hasReference,
    wanted,
    setAmount,
    setReference,
    isReady() {
      setIsSent(true)
      return hasAmount && hasReference
    },
    clear() {
      setAmount('')
      setReference(suggestNewReference(purpose))
      setIsSent(false)
    },
  }
}
