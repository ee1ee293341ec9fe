import { queryOptions } from '@tanstack/react-query'
import { people } from '../../api/people.ts'

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => people.listPasskeys(signal),
})
