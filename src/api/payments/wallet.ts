import { Fault } from '#platform/fault.ts'
import { hasRight, rightsOf, type Membership } from '#accounts/index.ts'
import type { Session } from '#identity/index.ts'
import type { BillingDocumentTable, IssuedDocument, Payments, TopupTable } from '#payments/index.ts'
import type {
  Account as WireAccount,
  BillingDocument,
  MemberAccount,
  OpenedTopup,
  Topup,
} from '../contract/index.ts'
import { writeAccounts, type AccountTools } from '../operator/account-handlers.ts'
import { writePage } from '../operator/pages.ts'
import { findPermitted } from '../console/authorize.ts'
import { writeOwnAccount } from '../console/standing.ts'
import { asked, taking } from './ask-provider.ts'
import { readTopupEuros, writeDocument, writeTopup } from './write-payment.ts'

export interface WalletTools extends AccountTools {
  readonly payments: Payments | undefined
  /** The origin of {auth_url}: whoever has paid comes back to a page there. */
  readonly issuer: string
}

interface ListPage {
  readonly before: string | undefined
  readonly limit: number
}

export interface Listed<Item> {
  readonly data: Item[]
  readonly next_cursor: string | null
}

/**
 * What people have here, and pay in: the accounts that they are members of, as far as their roles allow. Those
 * of others are not there for them.
 */
export interface Wallet {
  /** Undefined where nobody takes payments. */
  readonly takes: { readonly isTest: boolean } | undefined
  accounts(personId: string, page: ListPage): Promise<Listed<MemberAccount>>
  open(owner: Owner, wish: TopupWish): Promise<OpenedTopup>
  topups(personId: string, accountId: string, page: ListPage): Promise<Listed<Topup>>
  findTopup(personId: string, topupId: string): Promise<Topup>
  /** Which account a top-up is of, whoever asks: it is for whoever looks at their right to it. */
  accountOfTopup(topupId: string): Promise<string>
  documents(personId: string, topupId: string): Promise<BillingDocument[]>
  /** For members who see the account's money, and for operators; undefined for everybody else. */
  findDocument(
    reader: Pick<Session, 'personId' | 'role'>,
    number: string,
  ): Promise<IssuedDocument | undefined>
  /** Of one of their accounts, newest first. */
  latestDocuments(accountId: string, limit: number): Promise<BillingDocumentTable[]>
}

export interface TopupWish {
  readonly accountId: string
  readonly amountEur: string
  /** Which page of ours whoever has paid comes back to, with the top-up's id. */
  readonly returnPath: ReturnPath
}

export type ReturnPath = '/console/balance' | '/account'

export interface Owner {
  readonly personId: string
  readonly email: string
}

export function createWallet(tools: WalletTools): Wallet {
  const { accounts, payments, issuer } = tools

  async function findTopup(personId: string, topupId: string): Promise<TopupTable> {
    const topup = await taking(payments).find(topupId)
    if (!topup) throw noSuchTopup()
    await findPermitted(accounts, { accountId: topup.account_id, personId }, 'see_money')
    return topup
  }

  return {
    takes: payments && { isTest: payments.provider.isTest },
    async accounts(personId, { before, limit }) {
      const found = await accounts.members.of(personId, { before, limit: limit + 1 })
      const page = writePage(found, limit, ({ account }) => account.id)
      return { ...page, data: await writeMemberAccounts(tools, personId, page.data) }
    },
    async open({ personId, email }, { accountId, amountEur, returnPath }) {
      const { account } = await findPermitted(accounts, { accountId, personId }, 'pay')
      const euros = readTopupEuros(amountEur)
      if (euros === undefined) throw new Fault('invalid_request', 'amount_eur: cannot be paid in')
      const input = { accountId: account.id, euros, email, returnUrl: issuer + returnPath }
      const opening = await asked(taking(payments).openOwn(input))
      if ('retryAfterS' in opening) {
        const { retryAfterS } = opening
        const sentence = 'Too many checkouts were opened in an hour. Pay one of them, or wait.'
        throw new Fault('too_many_attempts', sentence, { retryAfterS })
      }
      return { ...writeTopup(opening.topup), checkout_url: opening.url }
    },
    async topups(personId, accountId, { before, limit }) {
      const { account } = await findPermitted(accounts, { accountId, personId }, 'see_money')
      const filter = { accountId: account.id, ...(before !== undefined && { before }) }
      const page = writePage(await taking(payments).list(filter, limit + 1), limit, ({ id }) => id)
      return { ...page, data: page.data.map(writeTopup) }
    },
    async accountOfTopup(topupId) {
      const topup = await taking(payments).find(topupId)
      if (!topup) throw noSuchTopup()
      return topup.account_id
    },
    findTopup: async (personId, topupId) => writeTopup(await findTopup(personId, topupId)),
    async documents(personId, topupId) {
      const { id } = await findTopup(personId, topupId)
      return (await taking(payments).documents(id)).map(writeDocument)
    },
    async findDocument({ personId, role }, number) {
      const document = await payments?.findDocument(number)
      if (!document || role === 'operator') return document
      const place = { accountId: document.accountId, personId }
      const membership = await accounts.members.find(place)
      return membership && hasRight(membership.role, 'see_money') ? document : undefined
    },
    latestDocuments: async (accountId, limit) =>
      payments ? payments.latestDocuments(accountId, limit) : [],
  }
}

async function writeMemberAccounts(
  tools: AccountTools,
  personId: string,
  memberships: readonly Membership[],
): Promise<MemberAccount[]> {
  const written = await writeAccounts(
    tools,
    memberships.map(({ account }) => account),
  )
  return memberships.map(({ account, role }, index) => ({
    ...writeOwnAccount(written[index] as WireAccount),
    email: account.email,
    name: account.name,
    role,
    rights: rightsOf(role),
    is_own: account.personId === personId,
  }))
}

function noSuchTopup(): Fault {
  return new Fault('not_found', 'There is no top-up with this id.')
}
