import type { FastifyRequest } from 'fastify'
import type { Accounts, Member } from '#accounts/index.ts'
import type { MemberItem } from '../contract/index.ts'
import { accountIdOf, noSuchAccount } from './account-handlers.ts'

/** Who belongs to an account: the operator looks, and leaves changes to its owners. */
export function createMemberHandlers({ accounts }: { readonly accounts: Accounts }) {
  return {
    async listAccountMembers(request: FastifyRequest) {
      const account = await accounts.find(accountIdOf(request))
      if (!account) throw noSuchAccount()
      return { data: (await accounts.members.list(account.id)).map(writeMember), next_cursor: null }
    },
  }
}

export function writeMember(member: Member): MemberItem {
  return {
    person_id: member.personId,
    email: member.email,
    name: member.name,
    role: member.role,
    joined_at: member.joinedAtMs,
  }
}
