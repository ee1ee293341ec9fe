import type { FastifyRequest } from 'fastify'
import type { Account, Accounts } from '#accounts/index.ts'
import { accountIdOf, noSuchAccount } from '../operator/account-handlers.ts'
import { sessionOf } from './authenticate-session.ts'

/** Another's account is refused as one that is not there: nobody learns which ids there are. */
export async function findOwnAccount(
  accounts: Accounts,
  personId: string,
  accountId: string,
): Promise<Account> {
  const account = await accounts.find(accountId)
  if (account?.personId !== personId) throw noSuchAccount()
  return account
}

/** The account that a request of who is signed in is about. */
export function findAskedAccount(accounts: Accounts, request: FastifyRequest): Promise<Account> {
  return findOwnAccount(accounts, sessionOf(request).personId, accountIdOf(request))
}
