import type { Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import {
  MAX_LIVE_KEYS,
  type Accounts,
  type Actor,
  type Rolling,
  type RollWish,
} from '#accounts/index.ts'
import type { ApiKey, CreatedKey } from '../contract/index.ts'
import {
  noSuchKey,
  readExpiry,
  readKeyChanges,
  writeCreatedKey,
  writeKeys,
  type KeyChangeBody,
  type KeyWriteTools,
} from './key-bodies.ts'

export interface KeyRollBody {
  readonly overlap_s?: number | null
  readonly expires_at?: number | null
}

export interface KeyChangeTools extends KeyWriteTools {
  readonly accounts: Pick<Accounts, 'updateKey'>
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
  actor: Actor,
): Promise<ApiKey> {
  const changes = readKeyChanges(body, tools.clock)
  const changing = await tools.accounts.updateKey(place, changes, actor)
  switch (changing.kind) {
    case 'no_such_key':
      throw noSuchKey()
    case 'revoked':
    case 'console':
      throw isNotToBeChanged(changing.kind)
    case 'changed': {
      const [key] = await writeKeys(tools, place.accountId, [changing.row])
      return key as ApiKey
    }
  }
}

/** By whoever may roll it: an operator, or its account's owner. */
export async function replaceKey(
  roll: (wish: RollWish) => Promise<Rolling | { readonly kind: 'too_many' }>,
  body: KeyRollBody,
  clock: Clock,
): Promise<CreatedKey> {
  const rolling = await roll({
    overlapMs: (body.overlap_s ?? OVERLAP_S) * 1000,
    ...readExpiry(body, clock),
  })
  switch (rolling.kind) {
    case 'no_such_key':
      throw noSuchKey()
    case 'too_many':
      throw tooManyKeys()
    case 'revoked':
    case 'expired':
    case 'console':
      throw isNotToBeChanged(rolling.kind)
    case 'rolled':
      return writeCreatedKey(rolling.created)
  }
}

const SENTENCES = {
  revoked: 'This key is revoked, and stays so: make another.',
  expired: 'This key has expired: make another, or change its expiry first.',
  console: "This is the playground's own key, which nobody holds: it can only be revoked.",
}

function isNotToBeChanged(why: keyof typeof SENTENCES): Fault {
  return new Fault('conflict', SENTENCES[why])
}

export function tooManyKeys(): Fault {
  return new Fault(
    'conflict',
    `This account has ${MAX_LIVE_KEYS} keys, as many as it may: revoke one of them first.`,
  )
}
