import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Hold } from '#gate/index.ts'
import type { Charge, LedgerTables } from '#ledger/index.ts'
import { createId } from '#platform/ids.ts'
import type { NanoEuro } from '#platform/money.ts'
import { withTables, type PostgresStore } from '#platform/store/index.ts'
import { KEY_NAME } from './fill.ts'
import type { Rooms } from './rooms.ts'

const WANTED = { cost: 1_000_000 as NanoEuro, tokens: 300 }
const COST = 400_000 as NanoEuro

/** One request each of so many accounts at once: recognised, admitted, charged, settled. */
export async function passTogether(rooms: Rooms, places: readonly number[]): Promise<void> {
  const keyHashes = places.map(hashOf)
  await Promise.all(keyHashes.map((keyHash) => rooms.gate.recognise(keyHash, 0)))
  const holds = await Promise.all(keyHashes.map((keyHash) => admit(rooms, keyHash)))
  await Promise.all(holds.map((hold) => settle(rooms, hold)))
}

/** As `passTogether`, but for the look at the key, and with the time that it takes. */
export async function timeRoundTrip(rooms: Rooms, places: readonly number[]): Promise<number> {
  const keyHashes = places.map(hashOf)
  const startedMs = performance.now()
  const holds = await Promise.all(keyHashes.map((keyHash) => admit(rooms, keyHash)))
  await Promise.all(holds.map((hold) => settle(rooms, hold)))
  return performance.now() - startedMs
}

export function hashOf(place: number): string {
  return createHash('sha256').update(`${KEY_NAME}${place}`).digest('hex')
}

async function admit({ gate }: Rooms, keyHash: string): Promise<Hold> {
  const admission = await gate.admit({ keyHash, requestId: createId('req'), wanted: WANTED })
  if (admission.kind !== 'admitted') throw new Error(`the gate says ${admission.kind}`)
  return admission.hold
}

async function settle({ gate, ledger }: Rooms, hold: Hold): Promise<void> {
  const charging = await ledger.charge(chargeOf(hold))
  if (charging.kind !== 'booked') throw new Error('the store was away')
  const { funds, alongside } = charging.charged
  gate.settle(hold, { tokens: WANTED.tokens, funds, alongside })
}

function chargeOf({ requestId, accountId, keyId }: Hold): Charge {
  return {
    requestId,
    accountId,
    keyId,
    brand: 'air',
    model: 'svc-air-v1',
    promptTokens: 100,
    completionTokens: 200,
    usageSource: 'upstream',
    cost: COST,
    finishReason: 'stop',
    ended: 'completed',
    createdAtMs: Date.now(),
    durationMs: 900,
    firstTokenMs: 200,
  }
}

/** A request that ends without a charge: its hold is given back. */
export async function passWithoutCharge(rooms: Rooms, place: number): Promise<void> {
  await rooms.gate.release(await admit(rooms, hashOf(place)))
}

/** What the console and the operator ask, of one account and of all. */
export function listCalls(
  { accounts, ledger, gate }: Rooms,
  store: PostgresStore,
  accountId: string,
): Readonly<Record<string, () => Promise<unknown>>> {
  const reads = withTables<LedgerTables>(store.reads)
  const middle = createMiddleId()
  return {
    'receipts, first page': () => ledger.receipts(accountId, { before: undefined, limit: 51 }),
    'receipts, a page in between': () => ledger.receipts(accountId, { before: middle, limit: 51 }),
    'accounts, first page': () => accounts.list({}, 51),
    'accounts by e-mail': () => accounts.list({ email: 'growth7@example.com' }, 51),
    'an account by its id': () => accounts.find(accountId),
    'keys of an account': () => accounts.keys(accountId, { before: undefined, limit: 51 }),
    'audit, first page': () => accounts.audit({ before: undefined, limit: 51 }),
    funds: () => ledger.funds([accountId]),
    'what is held': () => gate.held([accountId]),
    'totals of an account, 90 days': () =>
      reads
        .selectFrom('account_day')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('day', '>=', sql<string>`to_char(now() - interval '90 days', 'YYYY-MM-DD')`)
        .orderBy('day')
        .execute(),
  }
}

/** What the console and the operator change, once each. */
export async function makeChanges({ accounts }: Rooms, accountId: string): Promise<void> {
  const by = 'bench'
  const { id } = await accounts.create({ email: `${createId('per')}@example.com`, name: 'new' }, by)
  await accounts.update(accountId, { minTier: 3 }, by)
  const { row } = await accounts.createKey(id, { name: 'key' }, by)
  await accounts.revokeKey(id, row.id, by)
  const credit = { kind: 'deposit', amount: COST, reference: createId('req') } as const
  await accounts.credit(accountId, credit, by)
  await accounts.credit(accountId, credit, by)
}

/** An id that would have been made a year ago. */
function createMiddleId(): string {
  const hex = (Date.now() - 365 * 86_400_000).toString(16).padStart(12, '0')
  return `req_${hex}${'0'.repeat(20)}`
}
