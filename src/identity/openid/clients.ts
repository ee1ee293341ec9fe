import { createHash, randomBytes } from 'node:crypto'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { createId } from '#platform/ids.ts'
import { canBeKept, recordAudit, type Actor, type Deed } from '#accounts/index.ts'
import type { IdentityTables, OidcClientTable } from '../tables.ts'
import { findRedirectProblem, type RedirectProblem } from './find-redirect-problem.ts'

/** An app that people can sign in to. */
export interface Client {
  readonly id: string
  readonly name: string
  readonly kind: ClientKind
  readonly redirectUris: readonly string[]
  readonly createdAtMs: number
}

/** `public`: it runs where its users could read a secret, so it has none. */
export type ClientKind = OidcClientTable['kind']

export type NewClient = Pick<Client, 'name' | 'kind' | 'redirectUris'>
export type ClientChanges = Partial<Pick<Client, 'name' | 'redirectUris'>>

export interface RegisteredClient {
  readonly kind: 'registered'
  readonly client: Client
  /** Here and nowhere else, for only its hash is kept; null for public clients. */
  readonly secret: string | null
}

export type SecretRotation =
  | { readonly kind: 'rotated'; readonly client: Client; readonly secret: string }
  | { readonly kind: 'has_none' }
  | { readonly kind: 'unknown' }

/** The apps that people can sign in to, but for those that the service itself brings. */
export interface Clients {
  create(wanted: NewClient, actor: Actor): Promise<RegisteredClient | RedirectProblem>
  find(clientId: string): Promise<Client | undefined>
  /** Newest first; `before` is the id that the page before ended with. */
  list(page: ClientPage): Promise<Client[]>
  update(
    clientId: string,
    changes: ClientChanges,
    actor: Actor,
  ): Promise<{ readonly kind: 'updated'; readonly client: Client } | RedirectProblem | Unknown>
  /** The old secret stops at once: who rotates one has most often lost it to somebody. */
  rotateSecret(clientId: string, actor: Actor): Promise<SecretRotation>
  /** Its codes, tokens and consents end with it. False where there is no such client. */
  remove(clientId: string, actor: Actor): Promise<boolean>
}

export interface ClientPage {
  readonly before: string | undefined
  readonly limit: number
}

interface Unknown {
  readonly kind: 'unknown'
}

export interface ClientsOptions {
  readonly db: Kysely<IdentityTables>
  readonly reads: Kysely<IdentityTables>
  readonly clock: Clock
}

export function createClients({ db, reads, clock }: ClientsOptions): Clients {
  const by = (actor: Actor): Deed => ({ actor, atMs: clock.nowMs() })
  const inTransaction = <Result>(work: (tx: Transaction<IdentityTables>) => Promise<Result>) =>
    db.transaction().execute(work)

  return {
    async create(wanted, actor) {
      const problem = findRedirectProblem(wanted.kind, wanted.redirectUris)
      if (problem) return problem
      return inTransaction((tx) => insertClient(tx, wanted, by(actor)))
    },
    find: (clientId) => findClient(reads, clientId),
    async list({ before, limit }) {
      let query = reads.selectFrom('oidc_client').selectAll()
      if (before !== undefined) query = query.where('client_id', '<', before)
      const rows = await query.orderBy('client_id', 'desc').limit(limit).execute()
      return rows.map(readClient)
    },
    async update(clientId, changes, actor) {
      const known = await findClient(db, clientId)
      if (!known) return { kind: 'unknown' }
      const problem = findRedirectProblem(known.kind, changes.redirectUris ?? [])
      if (problem) return problem
      const client = await inTransaction((tx) => updateClient(tx, clientId, changes, by(actor)))
      return client ? { kind: 'updated', client } : { kind: 'unknown' }
    },
    async rotateSecret(clientId, actor) {
      const client = await findClient(db, clientId)
      if (!client) return { kind: 'unknown' }
      if (client.kind === 'public') return { kind: 'has_none' }
      const secret = generateSecret()
      const known = await inTransaction((tx) => setSecret(tx, clientId, secret, by(actor)))
      return known ? { kind: 'rotated', client, secret } : { kind: 'unknown' }
    },
    async remove(clientId, actor) {
      if (!canBeKept(clientId)) return false
      return inTransaction((tx) => deleteClient(tx, clientId, by(actor)))
    },
  }
}

async function insertClient(
  tx: Transaction<IdentityTables>,
  { name, kind, redirectUris }: NewClient,
  deed: Deed,
): Promise<RegisteredClient> {
  const secret = kind === 'confidential' ? generateSecret() : null
  const row: Selectable<OidcClientTable> = {
    client_id: createId('app'),
    name,
    kind,
    secret_hash: secret === null ? null : hashSecret(secret),
    redirect_uris: JSON.stringify(redirectUris),
    created_at: deed.atMs,
  }
  await tx.insertInto('oidc_client').values(row).execute()
  const details = { client_id: row.client_id, name, kind, redirect_uris: redirectUris.join(' ') }
  await recordAudit(tx, deed, 'client.created', null, details)
  return { kind: 'registered', client: readClient(row), secret }
}

/** Undefined where it was deleted meanwhile. */
async function updateClient(
  tx: Transaction<IdentityTables>,
  clientId: string,
  { name, redirectUris }: ClientChanges,
  deed: Deed,
): Promise<Client | undefined> {
  const set = {
    ...(name !== undefined && { name }),
    ...(redirectUris !== undefined && { redirect_uris: JSON.stringify(redirectUris) }),
  }
  if (Object.keys(set).length === 0) return findClient(tx, clientId)
  const row = await tx
    .updateTable('oidc_client')
    .set(set)
    .where('client_id', '=', clientId)
    .returningAll()
    .executeTakeFirst()
  if (!row) return undefined
  await recordAudit(tx, deed, 'client.changed', null, {
    client_id: clientId,
    ...(name !== undefined && { name }),
    ...(redirectUris !== undefined && { redirect_uris: redirectUris.join(' ') }),
  })
  return readClient(row)
}

async function setSecret(
  tx: Transaction<IdentityTables>,
  clientId: string,
  secret: string,
  deed: Deed,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('oidc_client')
    .set({ secret_hash: hashSecret(secret) })
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordAudit(tx, deed, 'client.secret_rotated', null, { client_id: clientId })
  return true
}

async function deleteClient(
  tx: Transaction<IdentityTables>,
  clientId: string,
  deed: Deed,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oidc_client')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await tx.deleteFrom('oidc_artifact').where('client_id', '=', clientId).execute()
  await recordAudit(tx, deed, 'client.deleted', null, { client_id: clientId })
  return true
}

async function findClient(
  db: Kysely<IdentityTables>,
  clientId: string,
): Promise<Client | undefined> {
  if (!canBeKept(clientId)) return undefined
  const row = await db
    .selectFrom('oidc_client')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row && readClient(row)
}

function readClient(row: Selectable<OidcClientTable>): Client {
  return {
    id: row.client_id,
    name: row.name,
    kind: row.kind,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    createdAtMs: row.created_at,
  }
}

function generateSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** A secret of 256 random bits needs no slow hash: there is nothing to guess. */
function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
