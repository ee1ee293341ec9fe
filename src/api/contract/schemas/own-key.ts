import { Type, type Static } from 'typebox'
import { ApiKey } from './operator.ts'

/** A key as its account's owner sees it. */
export const OwnKey = Type.Object(
  {
    ...ApiKey.properties,
    last_used_on: Type.Union([Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), Type.Null()], {
      description: 'The last UTC day with a request that was booked.',
    }),
  },
  { title: 'OwnKey' },
)
export type OwnKey = Static<typeof OwnKey>
