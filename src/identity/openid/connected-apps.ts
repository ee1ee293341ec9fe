import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { recordAudit, type Actor } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { findBuiltInClient } from './built-in-clients.ts'
import type { ConsentPayload } from './consents.ts'
import { readWords } from './read-words.ts'

/** An app that a person has let know who they are. */
export interface ConnectedApp {
  readonly clientId: string
  readonly name: string
  readonly scopes: readonly string[]
  /** The first of their consents that still hold. */
  readonly consentedAtMs: number
  /** When tokens were last made for it. */
  readonly usedAtMs: number
}

export interface ConnectedApps {
  list(personId: string): Promise<readonly ConnectedApp[]>
  /** Ends all that the app has of the person, at once; it has to ask again. False: it had nothing. */
  revoke(personId: string, clientId: string, actor?: Actor): Promise<boolean>
  /** The same for all apps: after a password was reset, or when a person is removed. */
  revokeAll(personId: string): Promise<void>
}

export function createConnectedApps(options: {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
}): ConnectedApps {
  const { db, clock } = options
  return {
    async list(personId) {
      const rows = await db
        .selectFrom('oidc_artifact as consent')
        .leftJoin('oidc_client as client', 'client.client_id', 'consent.client_id')
        .select(['consent.client_id', 'client.name', 'consent.payload'])
        .select(['consent.created_at', 'consent.used_at'])
        .where('consent.model', '=', 'Grant')
        .where('consent.account_id', '=', personId)
        .where('consent.expires_at', '>', clock.nowMs())
        .execute()
      const apps = [...Map.groupBy(rows, (row) => row.client_id).values()]
      return apps
        .flatMap(toConnectedApp)
        .toSorted((one, other) => other.usedAtMs - one.usedAtMs || (one.name < other.name ? -1 : 1))
    },
    async revoke(personId, clientId, actor = personId) {
      return db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('oidc_artifact')
          .where('account_id', '=', personId)
          .where('client_id', '=', clientId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        const details = { person_id: personId, client_id: clientId }
        await recordAudit(tx, { actor, atMs: clock.nowMs() }, 'app.revoked', null, details)
        return true
      })
    },
    async revokeAll(personId) {
      await db.deleteFrom('oidc_artifact').where('account_id', '=', personId).execute()
    },
  }
}

interface ConsentRow {
  readonly client_id: string | null
  /** Null for one that is gone, and for those that the service brings along. */
  readonly name: string | null
  readonly payload: string
  readonly created_at: number
  readonly used_at: number | null
}

function toConnectedApp(consents: readonly ConsentRow[]): ConnectedApp[] {
  const { client_id: clientId, name: registered } = consents[0] ?? {}
  if (!clientId) return []
  const name = registered ?? findBuiltInClient(clientId)?.client_name
  if (name === undefined) return []
  const scopes = consents.flatMap(({ payload }) =>
    readWords((JSON.parse(payload) as ConsentPayload).openid?.scope),
  )
  const app = {
    clientId,
    name,
    scopes: [...new Set(scopes)],
    consentedAtMs: Math.min(...consents.map((row) => row.created_at)),
    usedAtMs: Math.max(...consents.map((row) => row.used_at ?? row.created_at)),
  }
  return [app]
}
