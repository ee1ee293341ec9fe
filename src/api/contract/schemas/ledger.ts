import { Type, type Static } from 'typebox'
import { EurosOut, Page, Time } from './operator.ts'

/** A UTC day that is asked for. */
export const Day = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      'x-meaning': 'a day such as "2026-11-21"',
      description,
    }),
  )

export const TransferPage = Type.Object({
  from: Day('The first UTC day; from the beginning when left out.'),
  to: Day('The last UTC day; to the end when left out.'),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2_000,
      pattern: '^\\d{1,15}\\.[A-Za-z0-9_-]+$',
      'x-meaning': 'the `next_cursor` of the page before',
      description: 'The `next_cursor` of the page before.',
    }),
  ),
  limit: Page.properties.limit,
})

/** One line of the books: a transfer, or what all requests of a UTC day cost. */
export const LedgerTransfer = Type.Object(
  {
    date: Type.String({ description: 'The UTC day.' }),
    at: Time,
    kind: Type.Enum([
      'deposit',
      'grant',
      'refund',
      'dispute',
      'dispute_won',
      'dispute_lost',
      'charges',
      'write_offs',
    ]),
    debit: Type.String({ description: 'Where it came from; "accounts" is all of them together.' }),
    credit: Type.String({ description: 'Where it went to.' }),
    account_id: Type.Union([Type.String(), Type.Null()]),
    amount_eur: EurosOut,
    reference: Type.String(),
  },
  { title: 'LedgerTransfer' },
)

export type LedgerTransfer = Static<typeof LedgerTransfer>
