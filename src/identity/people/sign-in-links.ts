import { hash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import { inTransaction } from '#platform/store/index.ts'
import { actorId, recordAudit, type Actor, type Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { LINK_PATH } from './paths.ts'

/**
 * Links that sign a person in, once: for the first person of a new store, who has no password, and for
 * whoever an operator lets in. Only the SHA-256 of a link is kept.
 */
export interface SignInLinks {
  /** The person must exist. The address is in the answer and nowhere else: it cannot be shown again. */
  make(wish: LinkWish, actor: Actor): Promise<MadeLink>
  /** Looks, and uses nothing up. */
  find(token: string): Promise<FoundLink>
  /** Of two who follow one link at the same moment one gets in. Undefined where it is not good (any more). */
  use(token: string): Promise<{ readonly personId: string } | undefined>
}

export interface LinkWish {
  readonly personId: string
  readonly lifetimeMs: number
  /** Whoever follows it becomes an operator. */
  readonly makesOperator: boolean
}

export interface MadeLink {
  readonly id: string
  /** The whole address. */
  readonly url: string
  readonly expiresAtMs: number
}

export type FoundLink =
  | { readonly kind: 'good'; readonly personId: string }
  /** It was used, or is too old. */
  | { readonly kind: 'over' }
  | { readonly kind: 'unknown' }

export interface SignInLinksOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly clock: Clock
  readonly issuer: string
}

const TOKEN_BYTES = 32
/** That many bytes in base64url; what is anything else was never one of ours. */
const TOKEN = /^[\w-]{43}$/

export function createSignInLinks(options: SignInLinksOptions): SignInLinks {
  const { db, persons, clock, issuer } = options
  return {
    async make({ personId, lifetimeMs, makesOperator }, actor) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const atMs = clock.nowMs()
      const row = {
        id: createId('lnk'),
        token_hash: hashToken(token),
        person_id: personId,
        made_by: actorId(actor),
        makes_operator: makesOperator ? 1 : 0,
        created_at: atMs,
        expires_at: atMs + lifetimeMs,
        used_at: null,
      } as const
      await inTransaction(db, async (tx) => {
        await tx.insertInto('sign_in_link').values(row).execute()
        await recordAudit(tx, { actor, atMs }, 'sign_in_link.made', null, {
          person_id: personId,
          link_id: row.id,
          expires_at: row.expires_at,
          makes_operator: makesOperator,
        })
      })
      return { id: row.id, url: `${issuer}${LINK_PATH}/${token}`, expiresAtMs: row.expires_at }
    },
    async find(token) {
      if (!TOKEN.test(token)) return { kind: 'unknown' }
      const row = await db
        .selectFrom('sign_in_link')
        .select(['person_id', 'used_at', 'expires_at'])
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst()
      if (!row) return { kind: 'unknown' }
      const isGood = row.used_at === null && row.expires_at > clock.nowMs()
      return isGood ? { kind: 'good', personId: row.person_id } : { kind: 'over' }
    },
    async use(token) {
      if (!TOKEN.test(token)) return undefined
      const used = await takeLink(db, hashToken(token), clock.nowMs())
      if (!used) return undefined
      const { person_id: personId, made_by: actor, makes_operator: makesOperator } = used
      // Only after it was taken: a crash in between costs a link, and another one can be made.
      if (makesOperator === 1) await makeOperator(persons, personId, readMaker(actor))
      return { personId }
    },
  }
}

/** One statement: whoever comes second finds that it was used. */
function takeLink(db: Kysely<IdentityTables>, tokenHash: string, atMs: number) {
  return inTransaction(db, async (tx) => {
    const taken = await tx
      .updateTable('sign_in_link')
      .set({ used_at: atMs })
      .where('token_hash', '=', tokenHash)
      .where('used_at', 'is', null)
      .where('expires_at', '>', atMs)
      .returning(['id', 'person_id', 'made_by', 'makes_operator'])
      .executeTakeFirst()
    if (!taken) return undefined
    const { id, person_id: personId } = taken
    const deed = { actor: personId, atMs }
    await recordAudit(tx, deed, 'sign_in_link.used', null, { person_id: personId, link_id: id })
    return taken
  })
}

/** By whoever made the link; what is so already is no deed to write down. */
async function makeOperator(persons: Persons, personId: string, actor: Actor): Promise<void> {
  const person = await persons.find(personId)
  if (person?.role === 'customer') await persons.setRole(personId, 'operator', actor)
}

/** Who makes links is an operator, but for the first start. */
function readMaker(id: string): Actor {
  if (id === 'start') return id
  return { id, as: 'operator', address: null, userAgent: null }
}

function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
