import { Fault } from '#platform/fault.ts'
import type { Session } from '#identity/index.ts'
import type { BillingDocumentTable, IssuedDocument, Payments, TopupTable } from '#payments/index.ts'
import type { BillingDocument, OpenedTopup, OwnAccount, Topup } from '../contract/index.ts'
import { writeAccounts, type AccountTools } from '../operator/account-handlers.ts'
import { writePage } from '../operator/pages.ts'
import { findOwnAccount } from '../console/find-own-account.ts'
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

/** What people have here, and pay in: their own accounts. Those of others are not there for them. */
export interface Wallet {
  /** Undefined where nobody takes payments. */
  readonly takes: { readonly isTest: boolean } | undefined
  accounts(personId: string, page: ListPage): Promise<Listed<OwnAccount>>
  open(owner: Owner, wish: TopupWish): Promise<OpenedTopup>
  topups(personId: string, accountId: string, page: ListPage): Promise<Listed<Topup>>
  findTopup(personId: string, topupId: string): Promise<Topup>
  documents(personId: string, topupId: string): Promise<BillingDocument[]>
  /** For its owner, and for operators; undefined for everybody else. */
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
    const account = topup && (await accounts.find(topup.account_id))
    if (topup && account?.personId === personId) return topup
    throw new Fault('not_found', 'There is no top-up with this id.')
  }

  return {
    takes: payments && { isTest: payments.provider.isTest },
    async accounts(personId, { before, limit }) {
      const filter = { personId, ...(before !== undefined && { before }) }
      const page = writePage(await accounts.list(filter, limit + 1), limit, ({ id }) => id)
      return { ...page, data: await writeAccounts(tools, page.data) }
    },
    async open({ personId, email }, { accountId, amountEur, returnPath }) {
      const account = await findOwnAccount(accounts, personId, accountId)
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
      const account = await findOwnAccount(accounts, personId, accountId)
      const filter = { accountId: account.id, ...(before !== undefined && { before }) }
      const page = writePage(await taking(payments).list(filter, limit + 1), limit, ({ id }) => id)
      return { ...page, data: page.data.map(writeTopup) }
    },
    findTopup: async (personId, topupId) => writeTopup(await findTopup(personId, topupId)),
    async documents(personId, topupId) {
      const { id } = await findTopup(personId, topupId)
      return (await taking(payments).documents(id)).map(writeDocument)
    },
    async findDocument({ personId, role }, number) {
      const document = await payments?.findDocument(number)
      if (!document || role === 'operator') return document
      const account = await accounts.find(document.accountId)
      return account?.personId === personId ? document : undefined
    },
    latestDocuments: async (accountId, limit) =>
      payments ? payments.latestDocuments(accountId, limit) : [],
  }
}
