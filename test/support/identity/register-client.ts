import { createHash, randomBytes } from 'node:crypto'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import type { Service } from '../service.ts'

export interface RegisteredClient {
  readonly clientId: string
  /** Undefined for public clients. */
  readonly secret: string | undefined
}

/** An app that people can sign in to. */
export async function registerClient(
  service: Service,
  client: {
    readonly clientId: string
    readonly kind: 'public' | 'confidential'
    readonly redirectUris: readonly string[]
  },
): Promise<RegisteredClient> {
  const { clientId, kind, redirectUris } = client
  const secret = kind === 'confidential' ? randomBytes(32).toString('base64url') : undefined
  await withTables<IdentityTables>(service.store.db)
    .insertInto('oidc_client')
    .values({
      client_id: clientId,
      name: `The app ${clientId}`,
      kind,
      secret_hash: secret === undefined ? null : createHash('sha256').update(secret).digest('hex'),
      redirect_uris: JSON.stringify(redirectUris),
      created_at: service.clock.nowMs(),
    })
    .execute()
  return { clientId, secret }
}
