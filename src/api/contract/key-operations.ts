import { Type } from 'typebox'
import { operation } from './operator-operation.ts'
import { ApiKey, CreatedKey, KeyChange, KeyRoll } from './schemas/operator.ts'

const KeyId = Type.Object({
  account_id: Type.String({ maxLength: 100 }),
  key_id: Type.String({ maxLength: 100 }),
})

/** The operator's surface, where it is about a key that there is. */
export const keyOperations = {
  updateKey: operation('updateKey', 'patch', '/accounts/{account_id}/keys/{key_id}', {
    summary: "Change a key's name, expiry or ceiling: it holds for the very next request",
    params: KeyId,
    body: [KeyChange, { daily_ceiling_eur: '2.00' }],
    replies: { 200: ['The key as it is now.', ApiKey] },
    faults: ['not_found', 'conflict'],
  }),
  rollKey: operation('rollKey', 'post', '/accounts/{account_id}/keys/{key_id}/roll', {
    summary: 'Make a key like this one, shown this once; the old one ends after an overlap',
    params: KeyId,
    body: [KeyRoll, { overlap_s: 86_400 }],
    replies: { 201: ['The new key.', CreatedKey] },
    faults: ['not_found', 'conflict'],
  }),
} as const
