import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAccountId } from '../../api/chosen-account.tsx'
import { goToCheckout, type Amount } from './topups.ts'

/** Leads to a checkout: it is busy until the browser has left for it. */
export function useCheckout() {
  const accountId = useAccountId()
  const { mutate, reset, error, variables, isPending, isSuccess } = useMutation({
    mutationFn: (amount: Amount) => goToCheckout(accountId, amount),
  })
  useEffect(() => {
    // Whoever goes back in the browser may find the page as they left it: on its way.
    const onShow = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) reset()
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [reset])
  return { go: mutate, error, amount: variables, isLeaving: isPending || isSuccess }
}
