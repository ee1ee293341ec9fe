import { Type, type Static } from 'typebox'
import { EUROS, EUROS_MEANING, EurosOut } from './operator.ts'

const Ceiling = Type.Boolean({
  description: 'Whether to tell when 50, 80 and 100 % of the daily ceiling are spent.',
})

/** What an account's person is told by mail, once their address is confirmed. */
export const AlertSettings = Type.Object(
  { low_balance_eur: Type.Union([EurosOut, Type.Null()]), ceiling: Ceiling },
  { title: 'AlertSettings' },
)

export const NewAlertSettings = Type.Object(
  {
    low_balance_eur: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: EUROS,
      'x-meaning': EUROS_MEANING,
      description: 'Tell when the balance falls below it. At most 9000000 euros; null: never.',
    }),
    ceiling: Ceiling,
  },
  { title: 'NewAlertSettings', additionalProperties: false },
)

export type AlertSettings = Static<typeof AlertSettings>
