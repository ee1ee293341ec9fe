import { utcDay, type Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import { formatEuros, ZERO, type NanoEuro } from '#platform/money.ts'
import type { ApiKeyTable, CreatedKey, KeyChanges, NewKey } from '#accounts/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { ApiKey, CreatedKey as WireCreatedKey } from '../contract/index.ts'
import { readEurosOrNull } from './account-handlers.ts'

export interface KeyChangeBody {
  readonly name?: string | null
  readonly expires_at?: number | null
  readonly daily_ceiling_eur?: string | null
}

export interface NewKeyBody extends KeyChangeBody {
  readonly name: string
}

export interface KeyWriteTools {
  readonly ledger: Pick<Ledger, 'keysSpent'>
  readonly clock: Clock
}

export function readNewKey(body: NewKeyBody, clock: Clock): NewKey {
  return { name: body.name, ...readLimits(body, clock) }
}

/** `null` leaves a name as it is; it takes a limit away. */
export function readKeyChanges(body: KeyChangeBody, clock: Clock): KeyChanges {
  const { name } = body
  return { ...(name !== undefined && name !== null && { name }), ...readLimits(body, clock) }
}

function readLimits({ daily_ceiling_eur: ceilingEur, ...body }: KeyChangeBody, clock: Clock) {
  return {
    ...readExpiry(body, clock),
    ...(ceilingEur !== undefined && { ceiling: readEurosOrNull(ceilingEur, 'daily_ceiling_eur') }),
  }
}

export function readExpiry(
  { expires_at: expiresAtMs }: Pick<KeyChangeBody, 'expires_at'>,
  clock: Clock,
) {
  const isPast = typeof expiresAtMs === 'number' && expiresAtMs <= clock.nowMs()
  if (isPast) throw new Fault('invalid_request', 'expires_at: must be in the future')
  return expiresAtMs === undefined ? {} : { expiresAtMs }
}

/** Keys of one account, with what each has spent today. */
export async function writeKeys(
  { ledger, clock }: KeyWriteTools,
  accountId: string,
  rows: readonly ApiKeyTable[],
): Promise<ApiKey[]> {
  const spent = await ledger.keysSpent(accountId, utcDay(clock.nowMs()))
  return rows.map((row) => writeKey(row, spent.get(row.id) ?? ZERO))
}

export function writeCreatedKey({ key, row }: CreatedKey): WireCreatedKey {
  return { ...writeKeyFields(row), key }
}

function writeKey(row: ApiKeyTable, spentToday: NanoEuro): ApiKey {
  return {
    ...writeKeyFields(row),
    spent_today_eur: formatEuros(spentToday),
    kind: row.kind,
    revoked_at: row.revoked_at,
  }
}

function writeKeyFields(row: ApiKeyTable) {
  const { id, name, prefix, last_four, created_at, expires_at, daily_ceiling_nano: ceiling } = row
  return {
    id,
    name,
    prefix,
    last_four,
    created_at,
    expires_at,
    daily_ceiling_eur: ceiling === null ? null : formatEuros(ceiling),
  }
}

export function noSuchKey(): Fault {
  return new Fault('not_found', 'This account has no key with this id.')
}
