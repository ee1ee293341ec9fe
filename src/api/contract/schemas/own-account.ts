import { Type, type Static, type TSchema } from 'typebox'
import { Day } from './ledger.ts'
import { EUROS, EUROS_MEANING, EurosOut, OwnAccount, Page, Receipt, Time } from './operator.ts'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Count = Type.Integer({ minimum: 0 })
const Brand = Type.Enum(['air', 'prime', 'nova'])
/** A UTC day as it is answered. */
const DayOut = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-21'] })
const WrittenId = Type.String({ maxLength: 100, pattern: '^[^\\u0000]*$' })

const Window = (what: string) =>
  Type.Object({ limit: Count, left: Count }, { description: `${what} of the window.` })

/** Whether an account can call now, and if not, what is in the way. */
export const OwnStanding = Type.Object(
  {
    account: OwnAccount,
    windows: Type.Object({
      requests: Window('Requests'),
      tokens: Window('Tokens'),
      resets_at: Type.Integer({
        minimum: 0,
        description:
          'When the window ends, or one that begins now would. Unix time in milliseconds.',
      }),
    }),
    ceiling: Type.Object({
      eur: Nullable(EurosOut),
      left_eur: Nullable(EurosOut),
      resets_at: Type.Integer({ minimum: 0, description: 'The next midnight UTC.' }),
    }),
    next_tier: Nullable(
      Type.Object({
        tier: Type.Enum([2, 3]),
        requests_per_minute: Count,
        tokens_per_minute: Count,
        from_eur: Type.String({
          pattern: '^\\d+\\.\\d{2,9}$',
          description: 'What deposits or balance must reach; for tier 3, what they must be above.',
        }),
        have_eur: Type.String({
          pattern: '^-?\\d+\\.\\d{2,9}$',
          description: 'The higher of deposits and balance.',
        }),
      }),
    ),
    blocker: Nullable(Type.Enum(['suspended', 'requests', 'ceiling', 'balance', 'tokens'])),
    last_request: Nullable(
      Type.Object({
        request_id: Type.String(),
        brand: Type.String(),
        created_at: Time,
        cost_eur: EurosOut,
      }),
    ),
    as_of: Time,
  },
  { title: 'OwnStanding' },
)
export type OwnStanding = Static<typeof OwnStanding>

export const OwnAccountChange = Type.Object(
  {
    daily_ceiling_eur: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: EUROS,
      'x-meaning': EUROS_MEANING,
      description: 'At most 9000000 euros. Null takes the ceiling away.',
    }),
  },
  { title: 'OwnAccountChange', additionalProperties: false },
)

export const UsagePage = Type.Object({
  from: Day('The first UTC day; 29 days before the last when left out.'),
  to: Day('The last UTC day, at most 400 days from the first; today when left out.'),
  key_id: Type.Optional(WrittenId),
})

const usageFields = {
  requests: Count,
  prompt_tokens: Count,
  completion_tokens: Count,
  cost_eur: EurosOut,
}

export const OwnUsage = Type.Object(
  {
    from: DayOut,
    to: DayOut,
    days: Type.Array(
      Type.Object({
        day: DayOut,
        brand: Type.String(),
        ...usageFields,
        written_off_eur: EurosOut,
      }),
    ),
    keys: Type.Array(
      Type.Object({
        key_id: Type.String(),
        name: Type.String(),
        last_four: Type.String(),
        ...usageFields,
      }),
      { description: 'The 100 dearest of the range.' },
    ),
    totals: Type.Object(usageFields),
    as_of: Time,
  },
  {
    title: 'OwnUsage',
    description: 'What was used by day and brand, and by key, as it was booked.',
  },
)
export type OwnUsage = Static<typeof OwnUsage>

export const RequestPage = Type.Object({
  ...Page.properties,
  brand: Type.Optional(Brand),
  key_id: Type.Optional(WrittenId),
  ended: Type.Optional(Receipt.properties.ended),
  from: Day('The first UTC day; from the beginning when left out.'),
  to: Day('The last UTC day; to the end when left out.'),
})

/** One line of an account's statement. */
export const OwnMovement = Type.Object(
  {
    kind: Type.Enum(['deposit', 'grant', 'refund', 'dispute', 'dispute_won', 'usage']),
    amount_eur: EurosOut,
    day: DayOut,
    at: Nullable(Time),
    reference: Nullable(Type.String()),
    topup_id: Nullable(Type.String()),
    requests: Nullable(Count),
  },
  {
    title: 'OwnMovement',
    description:
      'Money in or out (below zero). What requests cost is added up by UTC day: it has a number of ' +
      'requests, and neither time nor reference.',
  },
)
export type OwnMovement = Static<typeof OwnMovement>

export const MovementPage = Type.Object({
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

export const ConsoleModel = Type.Object(
  {
    id: Type.String(),
    brand: Brand,
    endpoint: Type.String(),
    context_window: Type.Integer({ minimum: 1, description: 'In tokens.' }),
    max_output_tokens: Type.Integer({ minimum: 1 }),
    reasoning: Type.Boolean({ description: 'Whether replies carry reasoning_content.' }),
    tools: Type.Boolean({ description: 'Whether it takes tools.' }),
    pricing_eur_per_1m: Type.Object({
      inPerM: Type.Number({ description: 'EUR for a million input tokens.' }),
      outPerM: Type.Number({ description: 'EUR for a million output tokens.' }),
    }),
    enabled: Type.Boolean({ description: 'False where the operator has switched it off.' }),
  },
  { title: 'ConsoleModel' },
)
export type ConsoleModel = Static<typeof ConsoleModel>

export const ConsoleModelList = Type.Object(
  { data: Type.Array(ConsoleModel) },
  { title: 'ConsoleModelList' },
)
