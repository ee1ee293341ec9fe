import { Type, type Static, type TSchema } from 'typebox'
import { Day } from './ledger.ts'
import { Page, Time } from './operator.ts'
import { MovementPage } from './own-account.ts'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const AuditKind = Type.Enum(['keys', 'money', 'limits', 'sign_in', 'apps', 'members', 'account'])

export const OwnAuditPage = Type.Object({
  cursor: MovementPage.properties.cursor,
  limit: Page.properties.limit,
  kind: Type.Optional(AuditKind),
  from: Day('The first UTC day; from the beginning when left out.'),
  to: Day('The last UTC day; to the end when left out.'),
})

export const OwnAuditEntry = Type.Object(
  {
    id: Type.String(),
    at: Time,
    action: Type.String({ description: 'What was done, e.g. "key.created".' }),
    account_id: Nullable(
      Type.String({ description: 'Null for what is about the person alone, as signing in is.' }),
    ),
    actor: Type.Object({
      kind: Type.Enum(['you', 'person', 'operator', 'service'], {
        description: 'Who did it: an operator is named no closer.',
      }),
      email: Nullable(
        Type.String({ description: 'Of another person of the account, while they are one.' }),
      ),
    }),
    about_email: Nullable(
      Type.String({ description: 'Of the member whom it is about, while they are one.' }),
    ),
    address: Nullable(
      Type.String({ description: 'From where, of what the person did themselves; for a year.' }),
    ),
    browser: Nullable(Type.String()),
    system: Nullable(Type.String()),
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  {
    title: 'OwnAuditEntry',
    description: 'Something that was done to an account or by its person.',
  },
)
export type OwnAuditEntry = Static<typeof OwnAuditEntry>
