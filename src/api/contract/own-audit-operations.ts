import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import { listOf } from './schemas/operator.ts'
import { OwnAuditEntry, OwnAuditPage } from './schemas/own-audit.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })

/** The console's surface, where it is about who did what to what is one's own. */
export const ownAuditOperations = {
  listOwnAudit: operation('listOwnAudit', 'get', '/accounts/{account_id}/audit', {
    need: 'see',
    summary:
      'Who did what to an account, and to how one signs in, newest first; to developers and billing members, what they did themselves',
    params: AccountId,
    query: OwnAuditPage,
    replies: { 200: ['A page of entries.', listOf(OwnAuditEntry, 'OwnAuditList')] },
  }),
} as const
