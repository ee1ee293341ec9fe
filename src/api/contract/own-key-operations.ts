import { Type } from 'typebox'
import { consoleOperation as operation } from './console-operation.ts'
import { CreatedKey, KeyChange, KeyRoll, listOf, NewKey, Page } from './schemas/operator.ts'
import { OwnKey } from './schemas/own-key.ts'

const AccountId = Type.Object({ account_id: Type.String({ maxLength: 100 }) })
const KeyId = Type.Object({ ...AccountId.properties, key_id: Type.String({ maxLength: 100 }) })

/** The console's surface, where it is about the keys of an own account. */
export const ownKeyOperations = {
  listOwnKeys: operation('listOwnKeys', 'get', '/accounts/{account_id}/keys', {
    need: 'see_keys',
    summary: "List an own account's keys, newest first",
    params: AccountId,
    query: Page,
    replies: { 200: ['A page of keys.', listOf(OwnKey, 'OwnKeyList')] },
  }),
  createOwnKey: operation('createOwnKey', 'post', '/accounts/{account_id}/keys', {
    need: 'change_keys',
    summary: 'Make an API key for an own account, shown this once; at most 100 live ones',
    params: AccountId,
    body: [NewKey, { name: 'production' }],
    replies: { 201: ['The key.', CreatedKey] },
    faults: ['conflict'],
  }),
  updateOwnKey: operation('updateOwnKey', 'patch', '/accounts/{account_id}/keys/{key_id}', {
    need: 'change_keys',
    summary: "Change an own key's name, expiry or ceiling: it holds for the very next request",
    params: KeyId,
    body: [KeyChange, { daily_ceiling_eur: '2.00' }],
    replies: { 200: ['The key as it is now.', OwnKey] },
    faults: ['conflict'],
  }),
  rollOwnKey: operation('rollOwnKey', 'post', '/accounts/{account_id}/keys/{key_id}/roll', {
    need: 'change_keys',
    summary: 'Make a key like this one, shown this once; the old one ends after an overlap',
    params: KeyId,
    body: [KeyRoll, { overlap_s: 86_400 }],
    replies: { 201: ['The new key.', CreatedKey] },
    faults: ['conflict'],
  }),
  revokeOwnKey: operation('revokeOwnKey', 'delete', '/accounts/{account_id}/keys/{key_id}', {
    need: 'change_keys',
    summary: 'Revoke a key of an own account: the very next request with it is refused',
    params: KeyId,
    replies: { 204: ['Revoked.', undefined] },
  }),
} as const
