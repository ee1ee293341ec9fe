import { Type } from 'typebox'
import { operation } from './operator-operation.ts'
import { MemberItem } from './schemas/member.ts'
import {
  Account,
  AccountChange,
  AccountPage,
  ApiKey,
  AuditEntry,
  AuditPage,
  CreatedKey,
  Credit,
  listOf,
  ModelChange,
  ModelState,
  NewAccount,
  NewCredit,
  NewKey,
  Page,
  Receipt,
  Verification,
} from './schemas/operator.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const KeyId = Type.Object({ ...AccountId.properties, key_id: Type.String({ maxLength: 100 }) })
const BrandParam = Type.Object({ brand: Type.String({ description: 'air, prime or nova.' }) })

const newAccountExample = { email: 'ada@example.com', name: 'Ada' }
const newCreditExample = { kind: 'deposit', amount_eur: '20.00', reference: 'invoice-1815' }

/** The operator's surface: accounts, money, models, books. */
export const operatorOperations = {
  createAccount: operation('createAccount', 'post', '/accounts', {
    summary: 'Make an account; a new person gets the free credit',
    body: [NewAccount, newAccountExample],
    replies: { 201: ['The account.', Account] },
  }),
  listAccounts: operation('listAccounts', 'get', '/accounts', {
    summary: 'List accounts, newest first',
    query: AccountPage,
    replies: { 200: ['A page of accounts.', listOf(Account, 'AccountList')] },
  }),
  getAccount: operation('getAccount', 'get', '/accounts/{account_id}', {
    summary: 'One account with its money and limits',
    params: AccountId,
    replies: { 200: ['The account.', Account] },
    faults: ['not_found'],
  }),
  listAccountMembers: operation('listAccountMembers', 'get', '/accounts/{account_id}/members', {
    summary: 'List who belongs to an account, and in which role',
    params: AccountId,
    replies: {
      200: ['The members, who joined first, first.', listOf(MemberItem, 'AccountMemberList')],
    },
    faults: ['not_found'],
  }),
  updateAccount: operation('updateAccount', 'patch', '/accounts/{account_id}', {
    summary: 'Change tier, plan, ceiling or suspension',
    params: AccountId,
    body: [AccountChange, { daily_ceiling_eur: '5.00' }],
    replies: { 200: ['The account as it is now.', Account] },
    faults: ['not_found'],
  }),
  creditAccount: operation('creditAccount', 'post', '/accounts/{account_id}/credits', {
    summary: 'Book a deposit or a grant, once for each reference',
    params: AccountId,
    body: [NewCredit, newCreditExample],
    replies: {
      201: ['Booked.', Credit],
      200: ['The same credit had been booked before: this is that one.', Credit],
    },
    faults: ['not_found', 'conflict'],
  }),
  createKey: operation('createKey', 'post', '/accounts/{account_id}/keys', {
    summary: 'Make an API key, shown this once',
    params: AccountId,
    body: [NewKey, { name: 'production' }],
    replies: { 201: ['The key.', CreatedKey] },
    faults: ['not_found'],
  }),
  listKeys: operation('listKeys', 'get', '/accounts/{account_id}/keys', {
    summary: "List an account's keys, newest first",
    params: AccountId,
    query: Page,
    replies: { 200: ['A page of keys.', listOf(ApiKey, 'ApiKeyList')] },
    faults: ['not_found'],
  }),
  revokeKey: operation('revokeKey', 'delete', '/accounts/{account_id}/keys/{key_id}', {
    summary: 'Revoke a key: the very next request with it is refused',
    params: KeyId,
    replies: { 204: ['Revoked.', undefined] },
    faults: ['not_found'],
  }),
  listReceipts: operation('listReceipts', 'get', '/accounts/{account_id}/receipts', {
    summary: "List an account's receipts, newest first",
    params: AccountId,
    query: Page,
    replies: { 200: ['A page of receipts.', listOf(Receipt, 'ReceiptList')] },
    faults: ['not_found'],
  }),
  listModelStates: operation('listModelStates', 'get', '/models', {
    summary: 'Models with their upstreams, circuits and figures',
    replies: { 200: ['The models.', listOf(ModelState, 'ModelStateList')] },
  }),
  switchModel: operation('switchModel', 'patch', '/models/{brand}', {
    summary: 'Switch a brand on or off',
    params: BrandParam,
    body: [ModelChange, { enabled: false }],
    replies: { 200: ['The model as it is now.', ModelState] },
    faults: ['unknown_model'],
  }),
  verifyLedger: operation('verifyLedger', 'get', '/ledger/verify', {
    summary: 'Add up the books from their entries',
    replies: { 200: ['What was found.', Verification] },
  }),
  listAudit: operation('listAudit', 'get', '/audit', {
    summary: 'Who did what, newest first',
    query: AuditPage,
    replies: { 200: ['A page of entries.', listOf(AuditEntry, 'AuditList')] },
  }),
} as const
