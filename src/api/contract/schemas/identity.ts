import { Type, type Static } from 'typebox'
import { Name, Page, Plan, text, Time } from './operator.ts'

const IN_PATH = "[A-Za-z0-9._~:/?[\\]@!$&'()+,;=%-]*"
/**
 * What may follow the host begins with a slash or a question mark, so that nobody's name or password
 * stands before it; a star or a fragment stands nowhere.
 */
const REDIRECT_URI = [
  `^(https://([\\w.-]+|\\[[\\da-fA-F:.]+\\])(:\\d{1,5})?([/?]${IN_PATH})?`,
  `http://(127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?([/?]${IN_PATH})?`,
  `[a-z][a-z\\d+-]*(\\.[a-z\\d+-]+)+:/${IN_PATH})$`,
].join('|')

const RedirectUris = Type.Array(
  Type.String({
    maxLength: 2_000,
    pattern: REDIRECT_URI,
    'x-meaning':
      "a whole address without fragment or wildcard: https, http on 127.0.0.1 or [::1], or the app's own scheme with a dot, as in com.example.app:/callback",
  }),
  {
    minItems: 1,
    maxItems: 20,
    description:
      'Where people are sent back to. Compared exactly, but for the ports of loopback addresses of ' +
      'native apps. A confidential client takes no scheme of its own.',
  },
)

const ClientKind = Type.Enum(['public', 'confidential'])

const clientFields = {
  client_id: Type.String(),
  name: Type.String(),
  kind: ClientKind,
  redirect_uris: Type.Array(Type.String()),
  created_at: Time,
}

export const OidcClient = Type.Object(clientFields, {
  title: 'Client',
  description: 'An app that people can sign in to.',
})
export type OidcClient = Static<typeof OidcClient>

export const NewOidcClient = Type.Object(
  { name: Name, kind: ClientKind, redirect_uris: RedirectUris },
  { title: 'NewClient', additionalProperties: false },
)

export const CreatedOidcClient = Type.Object(
  {
    ...clientFields,
    client_secret: Type.Union([Type.String(), Type.Null()], {
      description: 'The whole secret. It is not shown again. Null for public clients.',
    }),
  },
  { title: 'CreatedClient' },
)
export type CreatedOidcClient = Static<typeof CreatedOidcClient>

export const OidcClientChange = Type.Object(
  { name: Type.Optional(Name), redirect_uris: Type.Optional(RedirectUris) },
  { title: 'ClientChange', additionalProperties: false },
)

const Role = Type.Enum(['customer', 'operator'])

export const OperatorPerson = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    email_verified: Type.Boolean(),
    name: Type.Union([Type.String(), Type.Null()]),
    plan: Plan,
    role: Role,
    two_factor: Type.Boolean(),
    created_at: Time,
  },
  { title: 'Person' },
)
export type OperatorPerson = Static<typeof OperatorPerson>

export const PersonPage = Type.Object({
  email: Type.Optional(Type.String(text(0, 254))),
  role: Type.Optional(Role),
  ...Page.properties,
})

export const PersonChange = Type.Object(
  { role: Role },
  { title: 'PersonChange', additionalProperties: false },
)

export const NewSignInLink = Type.Object(
  {
    expires_in_s: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 86_400,
        description: 'How long it is good for; 900 when left out.',
      }),
    ),
    role: Type.Optional(
      Type.Enum(['operator'], { description: 'What whoever follows it becomes.' }),
    ),
  },
  { title: 'NewSignInLink', additionalProperties: false },
)

export const SignInLink = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Signs the person in, once. It is not shown again.' }),
    expires_at: Time,
  },
  { title: 'SignInLink' },
)
export type SignInLink = Static<typeof SignInLink>

export const SigningKey = Type.Object(
  {
    kid: Type.String(),
    state: Type.Enum(['next', 'signing', 'past']),
    signs_from: Time,
    created_at: Time,
  },
  { title: 'SigningKey', description: 'Signs id tokens. The key itself is never shown.' },
)
export type SigningKey = Static<typeof SigningKey>

export const NewSigningKey = Type.Object(
  {
    signs_after_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        description: 'Clients learn of the key for so long before it signs; 3600 when left out.',
      }),
    ),
  },
  { title: 'NewSigningKey', additionalProperties: false },
)

export const TwoFactorResetWish = Type.Object(
  {
    passkeys: Type.Optional(
      Type.Boolean({ description: 'Whether their passkeys go as well; they stay when left out.' }),
    ),
  },
  { title: 'TwoFactorResetWish', additionalProperties: false },
)

export const TwoFactorReset = Type.Object(
  {
    authenticator: Type.Boolean({ description: 'Whether there was an authenticator app.' }),
    passkeys: Type.Integer({ minimum: 0, description: 'How many passkeys are gone.' }),
  },
  { title: 'TwoFactorReset' },
)
export type TwoFactorReset = Static<typeof TwoFactorReset>
