import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { IdentityTables } from '../tables.ts'
import type { Sealing } from './sealing.ts'

export interface SigningKey {
  readonly kid: string
  readonly createdAtMs: number
  readonly signsFromMs: number
  /** `next`: published, so that clients know it before it signs. `past`: still verifies, until it is dropped. */
  readonly state: 'next' | 'signing' | 'past'
}

export type PrivateJwk = Readonly<Record<string, unknown>> & { readonly kid: string }

/** The keys that sign id tokens. What they are follows from the time, so that replicas agree. */
export interface SigningKeys {
  /** The one that signs first, as a provider wants them; the first key is made where there is none. */
  read(): Promise<readonly PrivateJwk[]>
  list(): Promise<readonly SigningKey[]>
  /**
   * Makes a key that signs after `delayMs`. Clients that keep our key set for so long never see a
   * signature of a key that they do not have.
   */
  rotate(delayMs: number): Promise<SigningKey>
  /** Deletes keys that signed nothing that could still be valid. */
  dropPast(): Promise<void>
  /** Deletes a key, which must not be the one that signs. */
  drop(kid: string): Promise<void>
}

/** For longer than an id token lives, and a clock is wrong. */
const KEEP_PAST_MS = 24 * 3_600_000

const makeKeyPair = promisify(generateKeyPair)

export interface SigningKeysOptions {
  readonly db: Kysely<IdentityTables>
  readonly sealing: Sealing
  readonly clock: Clock
}

export function createSigningKeys({ db, sealing, clock }: SigningKeysOptions): SigningKeys {
  const selectRows = () =>
    db.selectFrom('signing_key').selectAll().orderBy('signs_from', 'desc').orderBy('kid').execute()

  async function insertKey(signsFromMs: number): Promise<SigningKey> {
    const jwk = await makeJwk()
    const row = {
      kid: jwk.kid,
      sealed_jwk: sealing.seal(JSON.stringify(jwk)),
      created_at: clock.nowMs(),
      signs_from: signsFromMs,
    }
    await db.insertInto('signing_key').values(row).execute()
    const state = signsFromMs > clock.nowMs() ? 'next' : 'signing'
    return { kid: jwk.kid, createdAtMs: row.created_at, signsFromMs, state }
  }

  async function list(): Promise<readonly SigningKey[]> {
    const rows = await selectRows()
    const signing = rows.find(({ signs_from: fromMs }) => fromMs <= clock.nowMs())?.kid
    return rows.map((row) => {
      const others = row.signs_from > clock.nowMs() ? 'next' : 'past'
      return {
        kid: row.kid,
        createdAtMs: row.created_at,
        signsFromMs: row.signs_from,
        state: row.kid === signing ? 'signing' : others,
      }
    })
  }

  return {
    list,
    async read() {
      if ((await selectRows()).length === 0) await insertKey(clock.nowMs())
      const keys = await list()
      const rows = new Map((await selectRows()).map((row) => [row.kid, row.sealed_jwk]))
      const order = ['signing', 'next', 'past']
      return keys
        .toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))
        .flatMap(({ kid }) => {
          const sealed = rows.get(kid)
          return sealed === undefined ? [] : [JSON.parse(sealing.open(sealed)) as PrivateJwk]
        })
    },
    rotate: (delayMs) => insertKey(clock.nowMs() + delayMs),
    async dropPast() {
      const keys = await list()
      const signing = keys.find(({ state }) => state === 'signing')
      if (!signing || signing.signsFromMs > clock.nowMs() - KEEP_PAST_MS) return
      await db.deleteFrom('signing_key').where('signs_from', '<', signing.signsFromMs).execute()
    },
    async drop(kid) {
      await db.deleteFrom('signing_key').where('kid', '=', kid).execute()
    },
  }
}

/** RS256: every OpenID client must know it (OpenID Connect Core, 15.1). */
async function makeJwk(): Promise<PrivateJwk> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(String(jwk['n'])).digest('base64url').slice(0, 16)
  return { ...jwk, alg: 'RS256', use: 'sig', kid }
}
