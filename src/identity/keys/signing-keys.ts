import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely, Selectable } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { IdentityTables, SigningKeyTable } from '../tables.ts'
import type { Sealing } from './sealing.ts'

export interface SigningKey {
  readonly kid: string
  readonly createdAtMs: number
  readonly signsFromMs: number
  /** `next`: published, so that clients know it before it signs. `past`: still verifies, until it is dropped. */
  readonly state: 'next' | 'signing' | 'past'
}

export type PrivateJwk = Readonly<Record<string, unknown>> & { readonly kid: string }

export interface KeySet {
  /** The one that signs first, as a provider wants them. */
  readonly keys: readonly PrivateJwk[]
  /** When another one begins to sign; Infinity where none is to. */
  readonly changesAtMs: number
}

/** The keys that sign id tokens. What they are follows from the time, so that replicas agree. */
export interface SigningKeys {
  /** The first key is made where there is none. */
  read(): Promise<KeySet>
  list(): Promise<readonly SigningKey[]>
  /**
   * Makes a key that signs after `delayMs`. Clients that keep our key set for so long never see a
   * signature of a key that they do not have.
   */
  rotate(delayMs: number): Promise<SigningKey>
  /** Deletes keys that signed nothing that could still be valid. */
  dropPast(): Promise<void>
  /**
   * Deletes a key at once, though what it signed is still valid: for one that others have. The one
   * that signs is kept; another must first take its place (`rotate(0)`).
   */
  drop(kid: string): Promise<'dropped' | 'signing' | 'unknown'>
}

/** For longer than an id token lives, and a clock is wrong. */
const KEEP_PAST_MS = 24 * 3_600_000
/** The first key has always signed: of replicas that start at once, one makes it. */
const ALWAYS = 0

const makeKeyPair = promisify(generateKeyPair)

export interface SigningKeysOptions {
  readonly db: Kysely<IdentityTables>
  readonly sealing: Sealing
  readonly clock: Clock
}

type Row = Selectable<SigningKeyTable>

export function createSigningKeys(options: SigningKeysOptions): SigningKeys {
  const { db, sealing, clock } = options
  const selectRows = (): Promise<Row[]> =>
    db.selectFrom('signing_key').selectAll().orderBy('signs_from', 'desc').execute()
  const listKeys = async (): Promise<readonly SigningKey[]> =>
    describeKeys(await selectRows(), clock.nowMs())

  return {
    list: listKeys,
    async read() {
      let rows = await selectRows()
      if (rows.length === 0) {
        await ensureKey(options, ALWAYS)
        rows = await selectRows()
      }
      return openKeys(rows, describeKeys(rows, clock.nowMs()), sealing)
    },
    async rotate(delayMs) {
      const signsFromMs = clock.nowMs() + delayMs
      await ensureKey(options, signsFromMs)
      const made = (await listKeys()).find((key) => key.signsFromMs === signsFromMs)
      if (!made) throw new Error('the key that was just made is gone')
      return made
    },
    async dropPast() {
      const signing = (await listKeys()).find(({ state }) => state === 'signing')
      if (!signing || signing.signsFromMs > clock.nowMs() - KEEP_PAST_MS) return
      await db.deleteFrom('signing_key').where('signs_from', '<', signing.signsFromMs).execute()
    },
    async drop(kid) {
      const key = (await listKeys()).find((one) => one.kid === kid)
      if (!key) return 'unknown'
      if (key.state === 'signing') return 'signing'
      await db.deleteFrom('signing_key').where('kid', '=', kid).execute()
      return 'dropped'
    },
  }
}

/** Where a key begins at this moment already, that one is taken. */
async function ensureKey(
  { db, sealing, clock }: SigningKeysOptions,
  signsFromMs: number,
): Promise<void> {
  const jwk = await makeJwk()
  const sealed_jwk = sealing.seal(JSON.stringify(jwk))
  await db
    .insertInto('signing_key')
    .values({ kid: jwk.kid, sealed_jwk, created_at: clock.nowMs(), signs_from: signsFromMs })
    .onConflict((conflict) => conflict.column('signs_from').doNothing())
    .execute()
}

const ORDER = ['signing', 'next', 'past']

function openKeys(rows: readonly Row[], keys: readonly SigningKey[], sealing: Sealing): KeySet {
  const jwks = new Map(rows.map(({ kid, sealed_jwk }) => [kid, sealed_jwk]))
  const next = keys.filter(({ state }) => state === 'next').map((key) => key.signsFromMs)
  return {
    keys: keys
      .toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
      .map(({ kid }) => JSON.parse(sealing.open(jwks.get(kid) ?? '')) as PrivateJwk),
    changesAtMs: Math.min(...next),
  }
}

/** `rows` with the latest first: of those whose time has come, that one signs. */
function describeKeys(rows: readonly Row[], nowMs: number): readonly SigningKey[] {
  const signing = rows.find((row) => row.signs_from <= nowMs)?.kid
  return rows.map((row) => {
    const other = row.signs_from > nowMs ? 'next' : 'past'
    return {
      kid: row.kid,
      createdAtMs: row.created_at,
      signsFromMs: row.signs_from,
      state: row.kid === signing ? 'signing' : other,
    }
  })
}

/** RS256: every OpenID client must know it (OpenID Connect Core, 15.1). */
async function makeJwk(): Promise<PrivateJwk> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(String(jwk['n'])).digest('base64url').slice(0, 16)
  return { ...jwk, alg: 'RS256', use: 'sig', kid }
}
