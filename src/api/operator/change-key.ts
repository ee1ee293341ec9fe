import type { Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import type { Accounts } from '#accounts/index.ts'
import type { ApiKey, CreatedKey } from '../contract/index.ts'
import {
  noSuchKey,
  readKeyChanges,
  writeCreatedKey,
  writeKeys,
  type KeyChangeBody,
  type KeyWriteTools,
} from './key-bodies.ts'

export interface KeyRollBody {
  readonly overlap_s?: number | null
}

export interface KeyChangeTools extends KeyWriteTools {
  readonly accounts: Pick<Accounts, 'updateKey' | 'rollKey'>
  readonly clock: Clock
}

/** A key of an account that whoever asks may change. */
interface Place {
  readonly accountId: string
  readonly keyId: string
}

const OVERLAP_S = 86_400

export async function changeKey(
  tools: KeyChangeTools,
  place: Place,
  body: KeyChangeBody,
  actor: string,
): Promise<ApiKey> {
  const changes = readKeyChanges(body, tools.clock)
  const changing = await tools.accounts.updateKey(place, changes, actor)
  switch (changing.kind) {
    case 'no_such_key':
      throw noSuchKey()
    case 'revoked':
      throw isOver('revoked')
    case 'changed': {
      const [key] = await writeKeys(tools, place.accountId, [changing.row])
      return key as ApiKey
    }
  }
}

export async function replaceKey(
  { accounts }: KeyChangeTools,
  place: Place,
  body: KeyRollBody,
  actor: string,
): Promise<CreatedKey> {
  const overlapMs = (body.overlap_s ?? OVERLAP_S) * 1000
  const rolling = await accounts.rollKey(place, overlapMs, actor)
  switch (rolling.kind) {
    case 'no_such_key':
      throw noSuchKey()
    case 'revoked':
    case 'expired':
      throw isOver(rolling.kind)
    case 'rolled':
      return writeCreatedKey(rolling.created)
  }
}

function isOver(how: 'revoked' | 'expired'): Fault {
  const sentence =
    how === 'revoked'
      ? 'This key is revoked, and stays so: make another.'
      : 'This key has expired: make another, or change its expiry first.'
  return new Fault('conflict', sentence)
}
