import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import { listOf, OwnAccount, Page } from './schemas/operator.ts'
import { BillingDocuments, NewTopup, OpenedTopup, Topup } from './schemas/payment.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const TopupId = Type.Object({ topup_id: Type.String({ maxLength: 100 }) })

/** The console's surface, where it is about what a person has here, and pays in. */
export const walletOperations = {
  listOwnAccounts: operation('listOwnAccounts', 'get', '/accounts', {
    summary: "List a person's own accounts, newest first",
    query: Page,
    replies: { 200: ['A page of accounts.', listOf(OwnAccount, 'OwnAccountList')] },
  }),
  createOwnTopup: operation('createOwnTopup', 'post', '/accounts/{account_id}/topups', {
    summary: "Open a checkout for a person's own account, at most 20 an hour",
    params: AccountId,
    body: [NewTopup, { amount_eur: '20.00' }],
    replies: { 201: ['The top-up, and where it is paid.', OpenedTopup] },
    faults: ['not_found', 'conflict', 'too_many_attempts', 'upstream_error'],
  }),
  listOwnTopups: operation('listOwnTopups', 'get', '/accounts/{account_id}/topups', {
    summary: "List an own account's top-ups, newest first",
    params: AccountId,
    query: Page,
    replies: { 200: ['A page of top-ups.', listOf(Topup, 'TopupList')] },
    faults: ['not_found', 'conflict'],
  }),
  getOwnTopup: operation('getOwnTopup', 'get', '/topups/{topup_id}', {
    summary: 'One top-up of an own account',
    params: TopupId,
    replies: { 200: ['The top-up.', Topup] },
    faults: ['not_found', 'conflict'],
  }),
  listOwnDocuments: operation('listOwnDocuments', 'get', '/topups/{topup_id}/documents', {
    summary: "Receipt and credit notes of an own account's top-up",
    params: TopupId,
    replies: { 200: ['What was issued, oldest first.', BillingDocuments] },
    faults: ['not_found', 'conflict'],
  }),
} as const
