import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import {
  InvitationItem,
  InvitationList,
  MemberChange,
  MemberItem,
  MemberList,
  NewInvitation,
} from './schemas/member.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const MemberId = Type.Object({
  ...AccountId.properties,
  member_id: Type.String({ maxLength: 100, description: "A person's id." }),
})
const InvitationId = Type.Object({
  ...AccountId.properties,
  invitation_id: Type.String({ maxLength: 100 }),
})

/** The console's surface, where it is about who else belongs to an account. */
export const memberOperations = {
  listMembers: operation('listMembers', 'get', '/accounts/{account_id}/members', {
    need: 'see',
    summary: "List an account's members, who joined first, first",
    params: AccountId,
    replies: { 200: ['The members.', MemberList] },
  }),
  updateMember: operation('updateMember', 'patch', '/accounts/{account_id}/members/{member_id}', {
    need: 'change_members',
    summary: "Change a member's role: it holds at their next request",
    params: MemberId,
    body: [MemberChange, { role: 'developer' }],
    replies: { 200: ['The member as they are now.', MemberItem] },
    faults: ['conflict'],
  }),
  removeMember: operation('removeMember', 'delete', '/accounts/{account_id}/members/{member_id}', {
    need: 'change_members',
    summary: 'Remove a member: it holds at their next request. Keys that they made stay',
    params: MemberId,
    replies: { 204: ['Removed.', undefined] },
    faults: ['conflict'],
  }),
  leaveAccount: operation('leaveAccount', 'delete', '/accounts/{account_id}/membership', {
    need: 'see',
    summary: 'Leave an account; the last owner cannot',
    params: AccountId,
    replies: { 204: ['Left.', undefined] },
    faults: ['conflict'],
  }),
  listInvitations: operation('listInvitations', 'get', '/accounts/{account_id}/invitations', {
    need: 'see_invitations',
    summary: 'List the invitations to an account that can be accepted, newest first',
    params: AccountId,
    replies: { 200: ['The invitations.', InvitationList] },
  }),
  createInvitation: operation('createInvitation', 'post', '/accounts/{account_id}/invitations', {
    need: 'change_members',
    summary:
      'Invite somebody by mail, at most 20 times a day; again replaces what they were sent before',
    params: AccountId,
    body: [NewInvitation, { email: 'grace@example.com', role: 'developer' }],
    replies: { 201: ['Invited.', InvitationItem] },
    faults: ['conflict', 'too_many_attempts'],
  }),
  withdrawInvitation: operation(
    'withdrawInvitation',
    'delete',
    '/accounts/{account_id}/invitations/{invitation_id}',
    {
      need: 'change_members',
      summary: 'Withdraw an invitation: its link is good for nothing any more',
      params: InvitationId,
      replies: { 204: ['Withdrawn.', undefined] },
    },
  ),
} as const
