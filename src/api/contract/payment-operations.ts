import { Type } from 'typebox'
import { operation } from './operator-operation.ts'
import { listOf } from './schemas/operator.ts'
import {
  BillingDocuments,
  NewRefund,
  NewTopup,
  OpenedTopup,
  ReconcilePage,
  Reconciliation,
  Topup,
  TopupPage,
} from './schemas/payment.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const TopupId = Type.Object({ topup_id: Type.String({ maxLength: 100 }) })

/** The operator's surface, where it is about money paid in. */
export const paymentOperations = {
  createTopup: operation('createTopup', 'post', '/accounts/{account_id}/topups', {
    summary: 'Open a checkout for an account: whoever has its address can pay',
    params: AccountId,
    body: [NewTopup, { amount_eur: '20.00' }],
    replies: { 201: ['The top-up, and where it is paid.', OpenedTopup] },
    faults: ['not_found', 'conflict', 'upstream_error'],
  }),
  listTopups: operation('listTopups', 'get', '/topups', {
    summary: 'List top-ups, newest first',
    query: TopupPage,
    replies: { 200: ['A page of top-ups.', listOf(Topup, 'TopupList')] },
    faults: ['conflict'],
  }),
  getTopup: operation('getTopup', 'get', '/topups/{topup_id}', {
    summary: 'One top-up',
    params: TopupId,
    replies: { 200: ['The top-up.', Topup] },
    faults: ['not_found', 'conflict'],
  }),
  listDocuments: operation('listDocuments', 'get', '/topups/{topup_id}/documents', {
    summary: 'Receipt and credit notes of a top-up',
    params: TopupId,
    replies: { 200: ['What was issued, oldest first.', BillingDocuments] },
    faults: ['not_found', 'conflict'],
  }),
  refundTopup: operation('refundTopup', 'post', '/topups/{topup_id}/refunds', {
    summary: 'Ask the provider to give money back; the books follow when it has',
    params: TopupId,
    body: [NewRefund, { amount_eur: '5.00', reference: 'ticket-1815' }],
    replies: { 202: ['Asked: the top-up as it is now.', Topup] },
    faults: ['not_found', 'conflict', 'upstream_error'],
  }),
  reconcilePayments: operation('reconcilePayments', 'get', '/payments/reconcile', {
    summary: "Compare the provider's payments with the books",
    query: ReconcilePage,
    replies: { 200: ['What was found.', Reconciliation] },
    faults: ['conflict', 'upstream_error'],
  }),
} as const
