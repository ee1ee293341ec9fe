import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type {
  Accounts,
  Departure,
  Invitation,
  Inviting,
  Member,
  MemberChange,
  MemberPlace,
  MemberRole,
} from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import type { InvitationItem } from '../contract/index.ts'
import { writeMember } from '../operator/member-handlers.ts'
import { doerOf, sessionOf } from './authenticate-session.ts'
import { accountOf } from './authorize.ts'

export interface MemberTools {
  readonly accounts: Pick<Accounts, 'members'>
  readonly identity: Identity
}

/** Who else belongs to an account, and who is asked to. */
export function createMemberHandlers({ accounts: { members }, identity }: MemberTools) {
  return {
    async listMembers(request: FastifyRequest) {
      return { data: (await members.list(accountOf(request).id)).map(writeMember) }
    },
    async updateMember(request: FastifyRequest) {
      const { role } = request.body as { role: MemberRole }
      const change = await members.changeRole(placeOf(request), role, doerOf(request))
      return writeMember(changedOf(change))
    },
    async removeMember(request: FastifyRequest, reply: FastifyReply) {
      refuseUnlessGone(await members.remove(placeOf(request), doerOf(request)))
      return reply.code(204).send()
    },
    async leaveAccount(request: FastifyRequest, reply: FastifyReply) {
      const { personId } = sessionOf(request)
      refuseUnlessGone(
        await members.remove({ accountId: accountOf(request).id, personId }, doerOf(request)),
      )
      return reply.code(204).send()
    },
    async listInvitations(request: FastifyRequest) {
      return { data: (await members.invitations(accountOf(request).id)).map(writeInvitation) }
    },
    async createInvitation(request: FastifyRequest, reply: FastifyReply) {
      const { people } = await identity.load()
      // Refused before anything is begun: an invitation that nobody gets could never be accepted.
      if (!people.canMail()) {
        throw new Fault('model_unavailable', 'This service cannot send mail now.')
      }
      const wish = request.body as { readonly email: string; readonly role: MemberRole }
      const { email: inviter } = sessionOf(request)
      const { id: accountId } = accountOf(request)
      const { invitation, token } = invitedOf(
        await members.invite({ ...wish, accountId }, doerOf(request)),
      )
      people.mailInvitation({ to: invitation.email, token, inviter, headers: request.headers })
      return reply.code(201).send(writeInvitation(invitation))
    },
    async withdrawInvitation(request: FastifyRequest, reply: FastifyReply) {
      const { invitation_id: invitationId } = request.params as { invitation_id: string }
      if (!(await members.withdraw(accountOf(request).id, invitationId, doerOf(request)))) {
        throw new Fault('not_found', 'There is no invitation with this id.')
      }
      return reply.code(204).send()
    },
  }
}

function placeOf(request: FastifyRequest): MemberPlace {
  const { member_id: personId } = request.params as { member_id: string }
  return { accountId: accountOf(request).id, personId }
}

function changedOf(change: MemberChange): Member {
  switch (change.kind) {
    case 'changed':
      return change.member
    case 'no_such_member':
      throw noSuchMember()
    case 'last_owner':
      throw lastOwner()
  }
}

function refuseUnlessGone({ kind }: Departure): void {
  switch (kind) {
    case 'gone':
      return
    case 'no_such_member':
      throw noSuchMember()
    case 'last_owner':
      throw lastOwner()
  }
}

function invitedOf(inviting: Inviting): Extract<Inviting, { kind: 'invited' }> {
  switch (inviting.kind) {
    case 'invited':
      return inviting
    case 'member_already':
      throw new Fault('conflict', 'email: is that of a member already')
    case 'full':
      throw new Fault('conflict', 'This account has as many members and invitations as it may.')
    case 'too_often': {
      const { retryAfterS } = inviting
      throw new Fault('too_many_attempts', 'Too many invitations were sent in a day. Wait.', {
        retryAfterS,
      })
    }
  }
}

function noSuchMember(): Fault {
  return new Fault('not_found', 'This account has no such member.')
}

function lastOwner(): Fault {
  return new Fault(
    'conflict',
    'An account has an owner at any time. Make another member one first.',
  )
}

function writeInvitation(invitation: Invitation): InvitationItem {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    created_at: invitation.createdAtMs,
    expires_at: invitation.expiresAtMs,
  }
}
