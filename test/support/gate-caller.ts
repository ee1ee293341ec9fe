import type { AccountsTables } from '#accounts/tables.ts'
import type { Admission, AdmissionRequest, Hold } from '#gate/index.ts'
import { createId } from '#platform/ids.ts'
import { NANO_PER_EURO, nano, type NanoEuro } from '#platform/money.ts'
import { withTables } from '#platform/store/index.ts'
import { settleHold, type Replica } from './gate-rooms.ts'

export interface AccountWanted {
  /** Given; a euro where nothing else is said. */
  readonly grant?: number
  /** Paid in. */
  readonly deposit?: number
  readonly minTier?: 1 | 2 | 3
  readonly ceiling?: NanoEuro | null
  readonly suspended?: boolean
}

/** What a key may have of its own. */
export interface KeyWanted {
  readonly expiresAtMs?: number | null
  readonly ceiling?: NanoEuro | null
}

export interface KnownKey {
  readonly accountId: string
  readonly keyId: string
  /** What the gate knows the key by. */
  readonly keyHash: string
}

/** Whoever calls with one key, at the gate of one replica. */
export type Caller = ReturnType<typeof createCaller>

/** What little most requests of the tests want. */
export const small = { cost: nano(100), tokens: 10 }

/** A new account with one key. */
export async function openCaller(
  replica: Replica,
  wanted: AccountWanted = {},
  keyWanted: KeyWanted = {},
): Promise<Caller> {
  const accountId = await insertAccount(replica, wanted)
  return createCaller(replica, await insertKey(replica, accountId, keyWanted))
}

export function createCaller(replica: Replica, key: KnownKey) {
  const { gate, ledger, accounts } = replica
  const { accountId, keyId, keyHash } = key
  return {
    key,
    gate,
    admit: (wanted: AdmissionRequest['wanted'] = small): Promise<Admission> =>
      gate.admit({ keyHash, requestId: createId('req'), wanted }),
    held: async (): Promise<number> => (await gate.held([accountId])).get(accountId) ?? 0,
    settle: (hold: Hold, tokens: number, cost = 0) => settleHold(replica, hold, { tokens, cost }),
    update: (changes: Parameters<typeof accounts.update>[1]) =>
      accounts.update(accountId, changes, 'test'),
    deposit: (amount: number) =>
      accounts.credit(
        accountId,
        { kind: 'deposit', amount: nano(amount), reference: createId('req') },
        'test',
      ),
    updateKey: (changes: KeyWanted) => accounts.updateKey({ accountId, keyId }, changes, 'test'),
    revoke: () => accounts.revokeKey(accountId, keyId, 'test'),
    balance: async (): Promise<number> =>
      (await ledger.funds([accountId])).get(accountId)?.balance ?? NaN,
  }
}

const NOBODY = {
  email_verified: 0,
  name: null,
  picture: null,
  plan: 'FREE',
  role: 'customer',
  two_factor_enabled: 0,
  created_at: 0,
  updated_at: 0,
} as const

/** An account with exactly this on it: those that the accounts room makes begin with a free euro. */
export async function insertAccount(
  { opened, ledger }: Replica,
  wanted: AccountWanted = {},
): Promise<string> {
  const { grant = NANO_PER_EURO, deposit = 0, minTier = 3, ceiling = null } = wanted
  const id = createId('acc')
  await withTables<AccountsTables>(opened.store.db)
    .transaction()
    .execute(async (tx) => {
      await tx
        .insertInto('person')
        .values({ ...NOBODY, id, email: id })
        .execute()
      await tx
        .insertInto('account')
        .values({
          id,
          person_id: id,
          min_tier: minTier,
          daily_ceiling_nano: ceiling,
          suspended: wanted.suspended === true ? 1 : 0,
          created_at: 0,
        })
        .execute()
      await ledger.openBalance(tx, id)
      for (const [kind, amount] of Object.entries({ grant, deposit })) {
        if (amount === 0) continue
        const reference = `${kind}:${id}`
        const credit = { accountId: id, amount: nano(amount), reference, atMs: 0 }
        await ledger.credit(tx, { ...credit, kind: kind === 'grant' ? 'grant' : 'deposit' })
      }
    })
  return id
}

export async function insertKey(
  { accounts }: Replica,
  accountId: string,
  wanted: KeyWanted = {},
): Promise<KnownKey> {
  const { row } = await accounts.createKey(accountId, { ...wanted, name: 'test' }, 'test')
  return { accountId, keyId: row.id, keyHash: row.hash }
}

export function holdOf(admission: Admission): Hold {
  if (admission.kind !== 'admitted') throw new Error(`not admitted: ${reasonOf(admission)}`)
  return admission.hold
}

/** The limit that was met, or else how it came out. */
export function reasonOf(admission: Admission): string {
  return admission.kind === 'refused' ? admission.refusal.limit : admission.kind
}

/** How many came out each way. */
export function countReasons(admissions: readonly Admission[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const admission of admissions) {
    const reason = reasonOf(admission)
    counts[reason] = (counts[reason] ?? 0) + 1
  }
  return counts
}

/** So many at the same time. */
export function together<Value>(count: number, ask: () => Promise<Value>): Promise<Value[]> {
  return Promise.all(Array.from({ length: count }, ask))
}
