import type { Kysely } from 'kysely'
import { createId } from '#platform/ids.ts'
import { withTables, type AnyTransaction } from '#platform/store/index.ts'
import type { AccountsTables, ActedAs, AuditAction, AuditTable } from './tables.ts'

/**
 * Who does something: "operator" for the operator's token, "start" for the first start, "payments", else
 * a person's id. With where they are, where that is known.
 */
export type Actor = string | Doer

/** Somebody who asks from somewhere. */
export interface Doer {
  readonly id: string
  readonly as: ActedAs
  readonly address: string | null
  readonly userAgent: string | null
}

/** Who does something, and when. */
export interface Deed {
  readonly actor: Actor
  readonly atMs: number
}

export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>

/**
 * Writes down who did what, in the same transaction as what was done, whichever room did it. An entry
 * whose details name a `person_id` is about that person, who finds it among their own.
 */
export async function recordAudit(
  tx: AnyTransaction,
  { actor, atMs }: Deed,
  action: AuditAction,
  accountId: string | null,
  details: AuditDetails,
): Promise<void> {
  const { id, as, address, userAgent } = describeDoer(actor)
  const personId = details['person_id']
  await withTables<AccountsTables>(tx)
    .insertInto('audit')
    .values({
      id: createId('aud'),
      at: atMs,
      actor: id,
      acted_as: as,
      action,
      account_id: accountId,
      person_id: typeof personId === 'string' ? personId : null,
      address,
      user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      details: JSON.stringify(details),
    })
    .execute()
}

/** As the audit log names them. */
export function actorId(actor: Actor): string {
  return typeof actor === 'string' ? actor : actor.id
}

function describeDoer(actor: Actor): Doer {
  if (typeof actor !== 'string') return actor
  return { id: actor, as: findPart(actor), address: null, userAgent: null }
}

function findPart(actor: string): ActedAs {
  if (actor === 'operator') return 'operator'
  return actor.startsWith('per_') ? 'person' : 'service'
}

/** Some browsers say a kilobyte of themselves; what tells them apart comes first. */
const MAX_USER_AGENT_LENGTH = 300

/** Newest first; `before` is the id that the page before ended with. */
export function selectAudit(
  db: Kysely<AccountsTables>,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<AuditTable[]> {
  let query = db.selectFrom('audit').selectAll()
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}
