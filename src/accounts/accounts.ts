import type { Clock } from '#platform/clock.ts'
import type { NanoEuro } from '#platform/money.ts'
import { inTransaction, withTables, type Store } from '#platform/store/index.ts'
import type { Crediting, Ledger } from '#ledger/index.ts'
import {
  findAccount,
  findExistingAccount,
  selectAccounts,
  type Account,
  type AccountFilter,
} from './account.ts'
import { createAccountKeys, type AccountKeys } from './account-keys.ts'
import { recordAudit, selectAudit, type Actor, type Deed } from './audit.ts'
import { createAccount, type NewAccount } from './create-account.ts'
import { createFirstAccount } from './create-first-account.ts'
import { creditAccount, type AccountCredit } from './credit-account.ts'
import { createMembers, type Members } from './members.ts'
import { selectMarks } from './marks.ts'
import {
  selectAuditElsewhere,
  selectOwnAudit,
  type AuditSubject,
  type OwnAuditPage,
} from './own-audit.ts'
import { createOwnKeys, type OwnKeys } from './own-keys.ts'
import { selectReachable, type Reachable } from './reachable.ts'
import type { AccountsTables, AuditTable } from './tables.ts'
import { updateAccount, type AccountChanges } from './update-account.ts'
import { createWithin, type Within } from './within.ts'

/** Accounts, their keys and limits, and who changed them. */
export interface Accounts extends AccountKeys, OwnKeys {
  create(input: NewAccount, actor: Actor): Promise<Account>
  /** The account of a new store; undefined where another process was quicker. */
  createFirst(input: NewAccount, actor: Actor): Promise<Account | undefined>
  find(accountId: string): Promise<Account | undefined>
  list(filter: AccountFilter, limit: number): Promise<Account[]>
  /** Those of them of whose money somebody can be written to, by id. */
  reachable(accountIds: readonly string[]): Promise<Map<string, Reachable>>
  /** Undefined where there is no such account. */
  update(accountId: string, changes: AccountChanges, actor: Actor): Promise<Account | undefined>
  /** Books a deposit or a grant once for each reference. The account must exist. */
  credit(accountId: string, credit: AccountCredit, actor: Actor): Promise<Crediting>
  /** For each of them a text that differs when its limits or keys have changed. */
  marks(accountIds: readonly string[]): Promise<Map<string, string>>
  /** Who belongs to an account. */
  readonly members: Members
  /** What other rooms do to accounts within transactions of their own. */
  readonly within: Within
  recordSwitch(brand: string, enabled: boolean, actor: Actor): Promise<void>
  audit(page: {
    readonly before: string | undefined
    readonly limit: number
  }): Promise<AuditTable[]>
  /** What is an account's, what is about a person alone, or both; newest first. */
  /** What a person did in accounts of others, and what was done to them there. */
  auditElsewhere(personId: string, page: OwnAuditPage): Promise<AuditTable[]>
  ownAudit(subject: AuditSubject, page: OwnAuditPage): Promise<AuditTable[]>
  readLimits(accountId: string): Promise<AccountLimits>
}

export interface AccountLimits {
  readonly suspended: boolean
  readonly minTier: 1 | 2 | 3
  readonly ceiling: NanoEuro | null
}

export interface AccountsOptions {
  readonly store: Store
  readonly ledger: Ledger
  readonly clock: Clock
  readonly serviceName: string
  /** Told after each change is durable, so that copies kept elsewhere are given up. */
  readonly onChange: { account(accountId: string): void; key(keyHash: string): void }
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { store, ledger, clock, serviceName, onChange } = options
  const db = withTables<AccountsTables>(store.db)
  const reads = withTables<AccountsTables>(store.reads)
  const by = (actor: Actor): Deed => ({ actor, atMs: clock.nowMs() })

  const keyOptions = { db, reads, serviceName, by, onChanged: onChange.key }

  const find = (id: string) => findAccount(reads, id)
  const findExisting = (id: string) => findExistingAccount(reads, id)

  return {
    ...createOwnKeys(keyOptions),
    find,
    list: (filter, limit) => selectAccounts(reads, filter, limit),
    reachable: (accountIds) => selectReachable(reads, accountIds),
    async create(input, actor) {
      const id = await inTransaction(db, (tx) => createAccount(tx, ledger, input, by(actor)))
      return findExisting(id)
    },
    async createFirst(input, actor) {
      const id = await createFirstAccount(db, ledger, input, by(actor))
      return id === undefined ? undefined : findExisting(id)
    },
    async update(accountId, changes, actor) {
      const account = await find(accountId)
      if (!account) return undefined
      await inTransaction(db, (tx) => updateAccount(tx, account, changes, by(actor)))
      onChange.account(accountId)
      return findExisting(accountId)
    },
    async credit(accountId, credit, actor) {
      const crediting = await inTransaction(db, (tx) =>
        creditAccount(tx, ledger, { ...credit, accountId }, by(actor)),
      )
      onChange.account(accountId)
      return crediting
    },
    ...createAccountKeys(keyOptions),
    marks: (accountIds) => selectMarks(reads, accountIds),
    members: createMembers({ db, reads, ledger, clock, by }),
    within: createWithin(onChange.account),
    recordSwitch: (brand, enabled, actor) =>
      inTransaction(db, (tx) =>
        recordAudit(tx, by(actor), 'model.switched', null, { brand, enabled }),
      ),
    audit: (page) => selectAudit(reads, page),
    auditElsewhere: (personId, page) => selectAuditElsewhere(reads, personId, page),
    ownAudit: (subject, page) => selectOwnAudit(reads, subject, page),

    async readLimits(accountId) {
      const { suspended, minTier, ceiling } = await findExisting(accountId)
      return { suspended, minTier, ceiling }
    },
  }
}
