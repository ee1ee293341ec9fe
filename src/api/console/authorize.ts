import type { FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import {
  hasRight,
  rolesWith,
  type Account,
  type Accounts,
  type MemberPlace,
  type Membership,
  type Right,
} from '#accounts/index.ts'
import type { Need, Operation } from '../contract/index.ts'
import { noSuchAccount } from '../operator/account-handlers.ts'
import type { Wallet } from '../payments/wallet.ts'
import { sessionOf } from './authenticate-session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that it is about, and what who asks is in it; null on routes that are about none. */
    membership: Membership | null
  }
}

export interface AuthorizeTools {
  readonly accounts: Pick<Accounts, 'members'>
  readonly wallet: Pick<Wallet, 'accountOfTopup'>
}

type Authorize = (request: FastifyRequest) => Promise<void>

/**
 * The one place where a person's right to an operation of the console is looked at, by what the contract
 * says that it needs. It is read at each request, so that a change of a role holds at the next one.
 */
export function createAuthorize({ accounts, wallet }: AuthorizeTools) {
  return function authorizeFor(operation: Operation): Authorize {
    const need = needOf(operation)
    return async function authorize(request) {
      if (need === 'self') return
      const { account_id: accountId, topup_id: topupId } = request.params as AccountParams
      const asked = accountId ?? (await wallet.accountOfTopup(topupId ?? ''))
      const place = { accountId: asked, personId: sessionOf(request).personId }
      request.membership = await findPermitted(accounts, place, need)
    }
  }
}

interface AccountParams {
  readonly account_id?: string
  readonly topup_id?: string
}

/** An operation that says nothing would be anybody's: the service does not start with one. */
function needOf({ id, need }: Operation): Need {
  if (!need) throw new Error(`${id} does not say what it needs`)
  return need
}

/**
 * The account of a member who has the right. To who is no member it is refused as one that is not there:
 * nobody learns which ids there are.
 */
export async function findPermitted(
  { members }: Pick<Accounts, 'members'>,
  place: MemberPlace,
  right: Right,
): Promise<Membership> {
  const membership = await members.find(place)
  if (!membership) throw noSuchAccount()
  if (!hasRight(membership.role, right)) throw notPermitted(membership, right)
  return membership
}

function notPermitted({ role }: Membership, right: Right): Fault {
  const who = rolesWith(right).map(describeRole).join(' or ')
  return new Fault(
    'not_permitted',
    `Your role in this account is ${describeRole(role)}: this takes ${who}.`,
    { reason: right },
  )
}

function describeRole(role: string): string {
  return role.replace('_', '-')
}

/** The account of a request that has passed the above. */
export function accountOf(request: FastifyRequest): Account {
  return membershipOf(request).account
}

/** Whether more is told to who asks than what the operation needs. */
export function isTold(request: FastifyRequest, right: Right): boolean {
  return hasRight(membershipOf(request).role, right)
}

function membershipOf({ membership }: FastifyRequest): Membership {
  if (!membership) throw new Error('the route is about no account')
  return membership
}
