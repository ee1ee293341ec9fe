import { Type, type Static, type TSchema } from 'typebox'

export const EUROS_MEANING = 'an amount of euros with at most nine decimals, such as "10.00"'
export const EUROS = '^\\d{1,7}(\\.\\d{1,9})?$'

/** Money at the edge: a decimal string, exact. */
const EurosIn = (description: string) =>
  Type.String({
    pattern: EUROS,
    'x-meaning': EUROS_MEANING,
    description: `${description} At most nine decimals, and at most 9000000 euros.`,
  })
export const EurosOut = Type.String({ pattern: '^-?\\d+\\.\\d{2,9}$', examples: ['1.00'] })
export const Time = Type.Integer({ minimum: 0, description: 'Unix time in milliseconds.' })
/** PostgreSQL keeps every character but U+0000; what one engine cannot keep, none takes. */
export const text = (minLength: number, maxLength: number) => ({
  minLength,
  maxLength,
  pattern: '^[^\\u0000]*$',
  'x-meaning': `a string of ${minLength} to ${maxLength} characters without U+0000`,
})
export const Name = Type.String(text(1, 100))
/** The end of the year 9999. */
const LAST_MS = 253_402_300_799_999
const TierNumber = Type.Enum([1, 2, 3])
export const Plan = Type.Enum(['FREE', 'LITE', 'PRO', 'ELITE'])
export const Email = Type.String({
  pattern: '^[^@\\s\\u0000]+@[^@\\s\\u0000]+$',
  maxLength: 254,
  'x-meaning': 'an e-mail address',
})

export const Account = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    tier: TierNumber,
    min_tier: TierNumber,
    plan: Plan,
    balance_eur: EurosOut,
    held_eur: EurosOut,
    deposits_eur: EurosOut,
    spent_today_eur: EurosOut,
    daily_ceiling_eur: Type.Union([EurosOut, Type.Null()]),
    suspended: Type.Boolean(),
    created_at: Time,
  },
  { title: 'Account' },
)
export type Account = Static<typeof Account>

/** What its owner sees of it. */
export const OwnAccount = Type.Pick(
  Account,
  [
    'id',
    'tier',
    'balance_eur',
    'held_eur',
    'deposits_eur',
    'spent_today_eur',
    'daily_ceiling_eur',
    'suspended',
    'created_at',
  ],
  { title: 'OwnAccount' },
)
export type OwnAccount = Static<typeof OwnAccount>

export const NewAccount = Type.Object(
  { email: Email, name: Type.Optional(Name) },
  { title: 'NewAccount', additionalProperties: false },
)

export const AccountChange = Type.Object(
  {
    min_tier: Type.Optional(TierNumber),
    plan: Type.Optional(Plan),
    daily_ceiling_eur: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        pattern: EUROS,
        'x-meaning': EUROS_MEANING,
        description: 'At most 9000000 euros. Null takes the ceiling away.',
      }),
    ),
    suspended: Type.Optional(Type.Boolean()),
  },
  { title: 'AccountChange', additionalProperties: false },
)

const CreditKind = Type.Enum(['deposit', 'grant'])
export const Reference = Type.String({
  ...text(1, 200),
  description: 'Unique in the whole service: repeating it books nothing.',
})

export const NewCredit = Type.Object(
  { kind: CreditKind, amount_eur: EurosIn('More than zero.'), reference: Reference },
  { title: 'NewCredit', additionalProperties: false },
)

export const Credit = Type.Object(
  {
    account_id: Type.String(),
    kind: CreditKind,
    amount_eur: EurosOut,
    reference: Type.String(),
    created_at: Time,
  },
  { title: 'Credit' },
)

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  last_four: Type.String(),
  created_at: Time,
}

const keyLimits = {
  expires_at: Type.Union([Time, Type.Null()]),
  daily_ceiling_eur: Type.Union([EurosOut, Type.Null()]),
}

export const ApiKey = Type.Object(
  {
    ...keyFields,
    ...keyLimits,
    spent_today_eur: EurosOut,
    kind: Type.Enum(['secret', 'console'], {
      description: 'A console key is what the playground calls by: nobody holds it.',
    }),
    revoked_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'ApiKey' },
)

/** What can be said of a key's limits, when it is made and later. */
export const givenKeyLimits = {
  expires_at: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 0,
      maximum: LAST_MS,
      description:
        'Unix time in milliseconds, in the future: from then on the key is unknown. Null: never.',
    }),
  ),
  daily_ceiling_eur: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: EUROS,
      'x-meaning': EUROS_MEANING,
      description:
        'The most that the key may spend on a UTC day, within what its account may. Never passed: a ' +
        'request counts as the most that it can cost. At most 9000000 euros; null: none of its own.',
    }),
  ),
}

export const NewKey = Type.Object(
  { name: Name, ...givenKeyLimits },
  { title: 'NewKey', additionalProperties: false },
)

export const KeyChange = Type.Object(
  { name: Type.Optional(Name), ...givenKeyLimits },
  { title: 'KeyChange', additionalProperties: false },
)

export const KeyRoll = Type.Object(
  {
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: 'For so many seconds the old key still works; a day when left out.',
      }),
    ),
    expires_at: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 0,
        maximum: LAST_MS,
        description: 'When the new key ends; with the old one when left out. Null: never.',
      }),
    ),
  },
  { title: 'KeyRoll', additionalProperties: false },
)

export const CreatedKey = Type.Object(
  {
    ...keyFields,
    ...keyLimits,
    key: Type.String({ description: 'The whole key. It is not shown again.' }),
  },
  { title: 'CreatedKey' },
)

const NullableCount = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])

export const Receipt = Type.Object(
  {
    request_id: Type.String(),
    key_id: Type.String(),
    brand: Type.String(),
    model: Type.String(),
    prompt_tokens: Type.Integer({ minimum: 0 }),
    completion_tokens: Type.Integer({ minimum: 0 }),
    cost_eur: EurosOut,
    written_off_eur: EurosOut,
    usage_source: Type.Enum(['upstream', 'counted']),
    finish_reason: Type.Union([Type.String(), Type.Null()]),
    ended: Type.Enum(['completed', 'client_left', 'upstream_failed']),
    created_at: Time,
    duration_ms: Type.Integer({ minimum: 0 }),
    first_token_ms: NullableCount,
  },
  { title: 'Receipt', description: 'One chat request that reached an upstream. No content, ever.' },
)

const UpstreamState = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  priority: Type.Integer({ minimum: 1, description: 'The lowest is asked first' }),
  weight: Type.Integer({ minimum: 1, description: 'Its share within its priority' }),
  max_concurrent: NullableCount,
  requests_per_minute: NullableCount,
  circuit: Type.Enum(['closed', 'open', 'half_open']),
  rests_until: Type.Union([Time, Type.Null()], {
    description: 'Until when the upstream itself asked to be left alone',
  }),
  under_way: Type.Integer({ minimum: 0 }),
  requests: Type.Integer({ minimum: 0 }),
  failures: Type.Integer({ minimum: 0 }),
  passed_over: Type.Integer({
    minimum: 0,
    description: 'Requests that went elsewhere, or nowhere, because of a limit or a rest',
  }),
  first_token_ms: NullableCount,
  last_failure: Type.Union([Type.Object({ kind: Type.String(), at: Time }), Type.Null()]),
})

export const ModelState = Type.Object(
  {
    brand: Type.String(),
    id: Type.String(),
    enabled: Type.Boolean(),
    context_window: Type.Integer(),
    max_output_tokens: Type.Integer(),
    upstreams: Type.Array(UpstreamState),
  },
  { title: 'ModelState' },
)

export const ModelChange = Type.Object(
  { enabled: Type.Boolean() },
  { title: 'ModelChange', additionalProperties: false },
)

export const Verification = Type.Object(
  {
    ok: Type.Boolean(),
    transfers: Type.Integer({ minimum: 0 }),
    accounts: Type.Integer({ minimum: 0 }),
    discrepancies: Type.Array(Type.String()),
  },
  { title: 'Verification' },
)

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Time,
    actor: Type.String(),
    action: Type.String(),
    acted_as: Type.Enum(['person', 'operator', 'service']),
    account_id: Type.Union([Type.String(), Type.Null()]),
    person_id: Type.Union([Type.String(), Type.Null()], {
      description: 'Whom it is about, where it is about somebody.',
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'Where it was asked for, where that is known: for a year.',
    }),
    user_agent: Type.Union([Type.String(), Type.Null()]),
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'AuditEntry' },
)

export function listOf<Item extends TSchema>(item: Item, title: string) {
  return Type.Object(
    { data: Type.Array(item), next_cursor: Type.Union([Type.String(), Type.Null()]) },
    { title },
  )
}

export const Page = Type.Object({
  cursor: Type.Optional(
    Type.String({
      ...text(1, 100),
      description: 'The `next_cursor` of the page before.',
    }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]|[1-9]\\d|1\\d\\d|200)$',
      'x-meaning': 'a number from 1 to 200',
      description: '1 to 200; 50 when left out.',
    }),
  ),
})

export const AuditPage = Type.Object({
  ...Page.properties,
  account_id: Type.Optional(Type.String(text(1, 100))),
  person_id: Type.Optional(
    Type.String({
      ...text(1, 100),
      description: 'What is about a person alone, such as their signing in.',
    }),
  ),
})

export const AccountPage = Type.Object({
  email: Type.Optional(Type.String(text(0, 254))),
  ...Page.properties,
})

export type Credit = Static<typeof Credit>
export type ApiKey = Static<typeof ApiKey>
export type CreatedKey = Static<typeof CreatedKey>
export type Receipt = Static<typeof Receipt>
export type ModelState = Static<typeof ModelState>
export type Verification = Static<typeof Verification>
export type AuditEntry = Static<typeof AuditEntry>
