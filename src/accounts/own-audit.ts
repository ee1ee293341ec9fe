import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import type { AccountsTables, AuditTable } from './tables.ts'

export const AUDIT_KINDS = [
  'keys',
  'money',
  'limits',
  'sign_in',
  'apps',
  'members',
  'account',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** What each kind is about, as patterns of LIKE. */
const PATTERNS: Readonly<Record<AuditKind, readonly string[]>> = {
  keys: ['key.%'],
  money: ['credit.%', 'topup.%'],
  limits: ['account.changed', 'alerts.%'],
  sign_in: [
    'session.%',
    'password.%',
    'email.%',
    'two_factor.%',
    'passkey.%',
    'sign_in_link.%',
    'person.signed_out',
    'person.two_factor_reset',
  ],
  apps: ['app.%'],
  members: ['member.%', 'invitation.%'],
  account: ['account.created', 'person.exported', 'person.removed', 'person.role_changed'],
}

/** Where a page of the log ended: entries of one moment are told apart by their ids. */
export interface AuditPlace {
  readonly atMs: number
  readonly id: string
}

export interface OwnAuditPage {
  readonly kind?: AuditKind | undefined
  /** Included; the other is not. */
  readonly fromMs?: number | undefined
  readonly beforeMs?: number | undefined
  readonly after?: AuditPlace | undefined
  readonly limit: number
}

/** Whose entries: those of an account, those about a person alone, or both together. */
export interface AuditSubject {
  readonly accountId?: string
  /** Of the account's, those alone of what this person did. */
  readonly doneBy?: string
  readonly personId?: string
}

/** Newest first. Entries about a person that are an account's are read with that account's. */
export async function selectOwnAudit(
  db: Kysely<AccountsTables>,
  { accountId, doneBy, personId }: AuditSubject,
  page: OwnAuditPage,
): Promise<AuditTable[]> {
  const entries = db.selectFrom('audit').selectAll()
  // Two walks along an index each, for of an "or" a store reads all there is and sorts it.
  const [ofAccount, ofPerson] = await Promise.all([
    accountId === undefined
      ? []
      : narrow(ofDoer(entries.where('account_id', '=', accountId), doneBy), page).execute(),
    personId === undefined
      ? []
      : narrow(
          entries.where('person_id', '=', personId).where('account_id', 'is', null),
          page,
        ).execute(),
  ])
  return [...ofAccount, ...ofPerson].toSorted(newestFirst).slice(0, page.limit)
}

/**
 * What a person did in accounts that do not bear their name, and what was done to them there, newest first:
 * a member's part, also of one who is no member any more.
 */
export async function selectAuditElsewhere(
  db: Kysely<AccountsTables>,
  personId: string,
  page: OwnAuditPage,
): Promise<AuditTable[]> {
  const ownAccounts = db.selectFrom('account').select('id').where('person_id', '=', personId)
  const entries = db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', 'is not', null)
    .where('account_id', 'not in', ownAccounts)
  const [done, suffered] = await Promise.all([
    narrow(ofDoer(entries, personId), page).execute(),
    narrow(entries.where('person_id', '=', personId), page).execute(),
  ])
  const all = new Map([...done, ...suffered].map((entry) => [entry.id, entry]))
  return [...all.values()].toSorted(newestFirst).slice(0, page.limit)
}

type Entries = SelectQueryBuilder<AccountsTables, 'audit', AuditTable>

/** What somebody did as an operator is not theirs. */
function ofDoer(query: Entries, personId: string | undefined): Entries {
  if (personId === undefined) return query
  return query.where('actor', '=', personId).where('acted_as', '=', 'person')
}

function narrow(query: Entries, { kind, fromMs, beforeMs, after, limit }: OwnAuditPage): Entries {
  let narrowed = query
  if (kind !== undefined) {
    const patterns = PATTERNS[kind].map((pattern) => sql<boolean>`action like ${pattern}`)
    narrowed = narrowed.where(({ or }) => or(patterns))
  }
  if (fromMs !== undefined) narrowed = narrowed.where('at', '>=', fromMs)
  if (beforeMs !== undefined) narrowed = narrowed.where('at', '<', beforeMs)
  if (after !== undefined) {
    narrowed = narrowed.where(sql<boolean>`(at, id) < (${after.atMs}, ${after.id})`)
  }
  return narrowed.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit)
}

function newestFirst(one: AuditTable, other: AuditTable): number {
  return other.at - one.at || (one.id < other.id ? 1 : -1)
}
