import type { Kysely } from 'kysely'
import type { AdapterPayload } from 'oidc-provider'
import type { IdentityTables } from '../tables.ts'
import { findBuiltInClient } from './built-in-clients.ts'

/** Nothing else is looked up: PostgreSQL fails on U+0000, and no id of ours is longer. */
const CLIENT_ID = /^[\x21-\x7e]{1,200}$/

/** A client as the provider wants it; its "secret" is the hash that ours is compared with. */
export async function findClientMetadata(
  db: Kysely<IdentityTables>,
  clientId: string,
): Promise<AdapterPayload | undefined> {
  const builtIn = findBuiltInClient(clientId)
  if (builtIn) return builtIn
  if (!CLIENT_ID.test(clientId)) return undefined
  const client = await db
    .selectFrom('oidc_client')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  if (!client) return undefined
  const redirectUris = JSON.parse(client.redirect_uris) as string[]
  return {
    client_id: client.client_id,
    client_name: client.name,
    redirect_uris: redirectUris,
    // Of native apps the port of a loopback address is not compared (RFC 8252, 7.3), and their people
    // are always asked. One such address is enough: whatever runs on a device can ask with it.
    application_type: redirectUris.some(isForNativeApps) ? 'native' : 'web',
    token_endpoint_auth_method: client.kind === 'public' ? 'none' : 'client_secret_basic',
    ...(client.secret_hash !== null && { client_secret: client.secret_hash }),
  }
}

/** Loopback addresses and schemes of an app's own. */
function isForNativeApps(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  if (protocol === 'https:') return false
  return protocol !== 'http:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}
