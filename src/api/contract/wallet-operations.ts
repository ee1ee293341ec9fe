import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import { MemberAccount } from './schemas/member.ts'
import { listOf, Page } from './schemas/operator.ts'
import { BillingDocuments, NewTopup, OpenedTopup, Topup } from './schemas/payment.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const TopupId = Type.Object({ topup_id: Type.String({ maxLength: 100 }) })

/** The console's surface, where it is about what a person has here, and pays in. */
export const walletOperations = {
  listOwnAccounts: operation('listOwnAccounts', 'get', '/accounts', {
    need: 'self',
    summary: 'List the accounts that a person is a member of, newest first',
    query: Page,
    replies: { 200: ['A page of accounts.', listOf(MemberAccount, 'OwnAccountList')] },
  }),
  createOwnTopup: operation('createOwnTopup', 'post', '/accounts/{account_id}/topups', {
    need: 'pay',
    summary: "Open a checkout for a person's own account, at most 20 an hour",
    params: AccountId,
    body: [NewTopup, { amount_eur: '20.00' }],
    replies: { 201: ['The top-up, and where it is paid.', OpenedTopup] },
    faults: ['conflict', 'too_many_attempts', 'upstream_error'],
  }),
  listOwnTopups: operation('listOwnTopups', 'get', '/accounts/{account_id}/topups', {
    need: 'see_money',
    summary: "List an own account's top-ups, newest first",
    params: AccountId,
    query: Page,
    replies: { 200: ['A page of top-ups.', listOf(Topup, 'TopupList')] },
    faults: ['conflict'],
  }),
  getOwnTopup: operation('getOwnTopup', 'get', '/topups/{topup_id}', {
    need: 'see_money',
    summary: 'One top-up of an own account',
    params: TopupId,
    replies: { 200: ['The top-up.', Topup] },
    faults: ['conflict'],
  }),
  listOwnDocuments: operation('listOwnDocuments', 'get', '/topups/{topup_id}/documents', {
    need: 'see_money',
    summary: "Receipt and credit notes of an own account's top-up",
    params: TopupId,
    replies: { 200: ['What was issued, oldest first.', BillingDocuments] },
    faults: ['conflict'],
  }),
} as const
