import { Type, type Static } from 'typebox'
import { EurosOut, Page, Reference, Time } from './operator.ts'

const Nullable = <Schema extends Parameters<typeof Type.Array>[0]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** What can be paid in, and nothing else. */
export const TOPUP_AMOUNTS = ['10.00', '20.00', '50.00', '100.00'] as const

const topupFields = {
  id: Type.String(),
  account_id: Type.String(),
  amount_eur: EurosOut,
  provider: Type.Enum(['stripe', 'sandbox']),
  test: Type.Boolean({ description: 'Whether it is test money: nothing was really paid.' }),
  state: Type.Enum(['open', 'pending', 'paid', 'failed', 'expired', 'mismatched']),
  refunded_eur: EurosOut,
  dispute: Nullable(Type.Enum(['open', 'won', 'lost'])),
  created_at: Time,
  paid_at: Nullable(Time),
}

export const Topup = Type.Object(topupFields, { title: 'Topup' })

export const OpenedTopup = Type.Object(
  {
    ...topupFields,
    checkout_url: Type.String({ description: 'Where it is paid.' }),
  },
  { title: 'OpenedTopup' },
)

export const NewTopup = Type.Object(
  { amount_eur: Type.Enum([...TOPUP_AMOUNTS]) },
  { title: 'NewTopup', additionalProperties: false },
)

export const TopupPage = Type.Object({
  account_id: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' })),
  ...Page.properties,
})

export const NewRefund = Type.Object(
  {
    amount_eur: Type.String({
      pattern: '^\\d{1,7}(\\.\\d{1,2})?$',
      'x-meaning': 'an amount of euros with at most two decimals, such as "5.00"',
      description: 'More than zero, and no more than is left of the top-up.',
    }),
    reference: Reference,
  },
  { title: 'NewRefund', additionalProperties: false },
)

export const BillingDocument = Type.Object(
  {
    number: Type.String(),
    kind: Type.Enum(['receipt', 'credit_note']),
    topup_id: Type.String(),
    amount_eur: EurosOut,
    net_eur: EurosOut,
    tax_eur: EurosOut,
    issued_at: Time,
  },
  { title: 'BillingDocument' },
)

export const BillingDocuments = Type.Object(
  { data: Type.Array(BillingDocument) },
  { title: 'BillingDocumentList' },
)

export const ReconcilePage = Type.Object({
  days: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-9]\\d|[1-3]\\d\\d)$',
      'x-meaning': 'a number from 1 to 399',
      description: 'How many days back; 30 when left out.',
    }),
  ),
})

export const Reconciliation = Type.Object(
  {
    ok: Type.Boolean(),
    since: Time,
    differences: Type.Array(
      Type.Object({
        topup_id: Nullable(Type.String()),
        payment_id: Nullable(Type.String()),
        sentence: Type.String(),
      }),
    ),
  },
  { title: 'Reconciliation' },
)

export type Topup = Static<typeof Topup>
export type OpenedTopup = Static<typeof OpenedTopup>
export type BillingDocument = Static<typeof BillingDocument>
export type Reconciliation = Static<typeof Reconciliation>
