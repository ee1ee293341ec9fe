import { Type, type Static } from 'typebox'

const Time = Type.Integer({ minimum: 0, description: 'Unix time in milliseconds.' })
const Nullable = Type.Union([Type.String(), Type.Null()])

export const SignedInPerson = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Nullable,
    picture: Nullable,
    plan: Type.Enum(['FREE', 'LITE', 'PRO', 'ELITE']),
    role: Type.Enum(['customer', 'operator']),
    two_factor: Type.Boolean({ description: 'Whether signing in takes a code as well.' }),
    has_password: Type.Boolean({
      description: 'Whether they have a password: some sign in by passkeys or links alone.',
    }),
    created_at: Time,
  },
  { title: 'SignedInPerson' },
)
export type SignedInPerson = Static<typeof SignedInPerson>

export const PersonRemoval = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Needed from whoever has a password.',
      }),
    ),
  },
  { title: 'PersonRemoval', additionalProperties: false },
)

export const PersonalDataWish = Type.Object(
  { password: PersonRemoval.properties.password },
  { title: 'PersonalDataWish', additionalProperties: false },
)

const AnyObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
})

export const PersonalData = Type.Object(
  {
    format: Type.Enum(['parley-personal-data']),
    version: Type.Integer({ minimum: 1 }),
    exported_at: Time,
    person: AnyObject,
    sign_in: AnyObject,
    sessions: Type.Array(AnyObject),
    apps: Type.Array(AnyObject),
    audit: Type.Array(AnyObject),
    memberships: Type.Array(AnyObject),
    invitations: Type.Object({
      sent: Type.Array(AnyObject),
      received: Type.Array(AnyObject),
    }),
    elsewhere: Type.Array(AnyObject),
    accounts: Type.Array(AnyObject),
  },
  {
    title: 'PersonalData',
    description:
      'All that is kept of a person, but for what would open anything. /docs/operate/personal-data says ' +
      'what each part has.',
  },
)

export const SessionItem = Type.Object(
  {
    id: Type.String(),
    created_at: Time,
    last_used_at: Type.Integer({
      minimum: 0,
      description: 'Unix time in milliseconds, to the day.',
    }),
    user_agent: Nullable,
    browser: Type.Union([Type.String(), Type.Null()], {
      description: 'Which browser that is, e.g. "Firefox"; null where it is none that we know.',
    }),
    system: Type.Union([Type.String(), Type.Null()], {
      description: 'What it runs on, e.g. "Windows"; null where that is not known.',
    }),
    address: Nullable,
    current: Type.Boolean({ description: 'Whether it is the session that asks.' }),
  },
  { title: 'Session' },
)
export type SessionItem = Static<typeof SessionItem>

export const SessionList = Type.Object({ data: Type.Array(SessionItem) }, { title: 'SessionList' })

export const ConnectedApp = Type.Object(
  {
    client_id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    consented_at: Time,
    last_used_at: Time,
  },
  { title: 'ConnectedApp', description: 'An app that a person has let know who they are.' },
)
export type ConnectedApp = Static<typeof ConnectedApp>

export const ConnectedAppList = Type.Object(
  { data: Type.Array(ConnectedApp) },
  { title: 'ConnectedAppList' },
)

export const ConsoleSettings = Type.Object(
  {
    service_name: Type.String({ description: 'What model ids and keys begin with.' }),
    base_url: Type.String({ description: 'Where the API is: it ends in "/v1".' }),
    payments: Type.Union(
      [
        Type.Object({
          is_test: Type.Boolean({ description: 'Whether nobody pays: the money is test money.' }),
        }),
        Type.Null(),
      ],
      { description: 'Null where nobody takes payments.' },
    ),
    tiers: Type.Array(
      Type.Object({
        tier: Type.Enum([1, 2, 3]),
        requests_per_minute: Type.Integer({ minimum: 1 }),
        tokens_per_minute: Type.Integer({ minimum: 1 }),
        from_eur: Type.String({
          pattern: '^\\d+\\.\\d{2,9}$',
          description: 'What deposits or balance must reach; for tier 3, what they must be above.',
        }),
      }),
      { description: 'All tiers, lowest first.' },
    ),
  },
  { title: 'ConsoleSettings' },
)
export type ConsoleSettings = Static<typeof ConsoleSettings>
