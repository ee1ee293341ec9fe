import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import { exampleStandingTranscript } from './own-account-examples.ts'
import { AlertSettings, NewAlertSettings } from './schemas/alert.ts'
import { listOf, OwnAccount, Receipt } from './schemas/operator.ts'
import {
  ConsoleModelList,
  MovementPage,
  OwnAccountChange,
  OwnMovement,
  OwnStanding,
  OwnUsage,
  RequestPage,
  UsagePage,
} from './schemas/own-account.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const RequestId = Type.Object({
  ...AccountId.properties,
  request_id: Type.String({ maxLength: 100 }),
})

/** The console's surface, where it is about the money and the use of an own account. */
export const ownAccountOperations = {
  getOwnStanding: operation('getOwnStanding', 'get', '/accounts/{account_id}/standing', {
    need: 'see',
    summary: 'Whether an own account can call now, and if not, what is in the way',
    params: AccountId,
    replies: { 200: ['How it stands.', OwnStanding] },
  }),
  watchOwnStanding: operation('watchOwnStanding', 'get', '/accounts/{account_id}/events', {
    need: 'see',
    summary: 'How an own account stands, now and whenever that changes, as server-sent events',
    params: AccountId,
    replies: { 200: ['The events.', OwnStanding] },
    transcript: exampleStandingTranscript,
  }),
  updateOwnAccount: operation('updateOwnAccount', 'patch', '/accounts/{account_id}', {
    need: 'change_limits',
    summary: 'Set the daily ceiling of an own account, or take it away',
    params: AccountId,
    body: [OwnAccountChange, { daily_ceiling_eur: '5.00' }],
    replies: { 200: ['The account as it is now.', OwnAccount] },
  }),
  getOwnAlerts: operation('getOwnAlerts', 'get', '/accounts/{account_id}/alerts', {
    need: 'see_money',
    summary: 'When an own account tells by mail that money runs out',
    params: AccountId,
    replies: { 200: ['The settings.', AlertSettings] },
  }),
  setOwnAlerts: operation('setOwnAlerts', 'put', '/accounts/{account_id}/alerts', {
    need: 'change_alerts',
    summary: 'Choose when an own account tells by mail that money runs out',
    params: AccountId,
    body: [NewAlertSettings, { low_balance_eur: '5.00', ceiling: true }],
    replies: { 200: ['The settings as they are now.', AlertSettings] },
  }),
  getOwnUsage: operation('getOwnUsage', 'get', '/accounts/{account_id}/usage', {
    need: 'see',
    summary: 'What an own account used, by day and brand and by key',
    params: AccountId,
    query: UsagePage,
    replies: { 200: ['The use, as it was booked.', OwnUsage] },
  }),
  listOwnRequests: operation('listOwnRequests', 'get', '/accounts/{account_id}/requests', {
    need: 'see_requests',
    summary:
      "List an own account's requests, newest first; a page may have fewer than there are, and a cursor",
    params: AccountId,
    query: RequestPage,
    replies: { 200: ['A page of receipts.', listOf(Receipt, 'OwnRequestList')] },
  }),
  getOwnRequest: operation('getOwnRequest', 'get', '/accounts/{account_id}/requests/{request_id}', {
    need: 'see_requests',
    summary: 'One request of an own account',
    params: RequestId,
    replies: { 200: ['Its receipt.', Receipt] },
  }),
  listOwnMovements: operation('listOwnMovements', 'get', '/accounts/{account_id}/movements', {
    need: 'see_money',
    summary: "An own account's statement, newest first: its amounts add up to the balance",
    params: AccountId,
    query: MovementPage,
    replies: { 200: ['A page of movements.', listOf(OwnMovement, 'OwnMovementList')] },
  }),
  listConsoleModels: operation('listConsoleModels', 'get', '/models', {
    need: 'self',
    summary: 'The models with their prices, and whether each is switched on',
    replies: { 200: ['The models.', ConsoleModelList] },
  }),
} as const
