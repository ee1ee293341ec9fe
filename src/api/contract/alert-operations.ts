import { Type } from 'typebox'
import { operation } from './operator-operation.ts'
import { AlertSettings, NewAlertSettings } from './schemas/alert.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })

/** The operator's surface, where it is about what people are told by mail. */
export const alertOperations = {
  getAlerts: operation('getAlerts', 'get', '/accounts/{account_id}/alerts', {
    summary: "When an account's person is told that money runs out",
    params: AccountId,
    replies: { 200: ['The settings.', AlertSettings] },
    faults: ['not_found'],
  }),
  setAlerts: operation('setAlerts', 'put', '/accounts/{account_id}/alerts', {
    summary: "Choose when an account's person is told that money runs out",
    params: AccountId,
    body: [NewAlertSettings, { low_balance_eur: '5.00', ceiling: true }],
    replies: { 200: ['The settings as they are now.', AlertSettings] },
    faults: ['not_found'],
  }),
} as const
