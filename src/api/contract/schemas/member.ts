import { Type, type Static } from 'typebox'
import type { MemberRole, Right } from '#accounts/index.ts'
import { Email, OwnAccount, Time } from './operator.ts'

const Role = Type.Enum([
  'owner',
  'developer',
  'billing',
  'read_only',
] as const satisfies readonly MemberRole[])

/** An account as one of its members sees it, and what they may do in it. */
export const MemberAccount = Type.Object(
  {
    ...OwnAccount.properties,
    email: Type.String({ description: 'Of the owner whose account it is.' }),
    name: Type.Union([Type.String(), Type.Null()]),
    role: Role,
    rights: Type.Array(
      Type.Enum([
        'see',
        'see_requests',
        'see_keys',
        'change_keys',
        'chat',
        'change_limits',
        'see_money',
        'pay',
        'change_alerts',
        'see_activity',
        'see_invitations',
        'change_members',
      ] as const satisfies readonly Right[]),
      { description: 'What who asks may do there.' },
    ),
    is_own: Type.Boolean({ description: 'Whether it is the account of who asks.' }),
  },
  { title: 'MemberAccount' },
)
export type MemberAccount = Static<typeof MemberAccount>

export const MemberItem = Type.Object(
  {
    person_id: Type.String(),
    email: Type.String(),
    name: Type.Union([Type.String(), Type.Null()]),
    role: Role,
    joined_at: Time,
  },
  { title: 'Member', description: 'A person in an account.' },
)
export type MemberItem = Static<typeof MemberItem>

export const MemberList = Type.Object({ data: Type.Array(MemberItem) }, { title: 'MemberList' })

export const MemberChange = Type.Object(
  { role: Role },
  { title: 'MemberChange', additionalProperties: false },
)

export const NewInvitation = Type.Object(
  { email: Email, role: Role },
  { title: 'NewInvitation', additionalProperties: false },
)

export const InvitationItem = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: Role,
    created_at: Time,
    expires_at: Time,
  },
  { title: 'Invitation', description: 'Somebody who was asked by mail to become a member.' },
)
export type InvitationItem = Static<typeof InvitationItem>

export const InvitationList = Type.Object(
  { data: Type.Array(InvitationItem) },
  { title: 'InvitationList' },
)
