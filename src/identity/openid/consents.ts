import type { Kysely } from 'kysely'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { Clock } from '#platform/clock.ts'
import type { IdentityTables } from '../tables.ts'
import { readWords } from './read-words.ts'

type Grant = NonNullable<KoaContextWithOIDC['oidc']['grant']>

export interface ConsentsOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
}

/**
 * What the person of this request has consented to for its client: in this browser, or else in any.
 * Tokens hang on the consent of one browser, so that what is revoked in one of them ends nothing in
 * the others.
 */
export async function findConsent(
  options: ConsentsOptions,
  { oidc }: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { provider, client, account, result, session } = oidc
  if (!client || !account) return undefined
  const id = result?.consent?.grantId ?? session?.grantIdFor(client.clientId)
  const known = id === undefined ? undefined : await provider.Grant.find(id)
  if (known?.accountId === account.accountId) return known
  // Another tab has somebody else signed in since this one was answered.
  if (known) throw new errors.AccessDenied('somebody else has signed in meanwhile')
  // Who asks in a native app's name cannot be told: its consent is never taken over (RFC 8252, 8.6).
  if (client.applicationType === 'native') return undefined
  return copyConsent(options, provider, account.accountId, client.clientId)
}

async function copyConsent(
  { db, clock }: ConsentsOptions,
  provider: Provider,
  accountId: string,
  clientId: string,
): Promise<Grant | undefined> {
  const rows = await db
    .selectFrom('oidc_artifact')
    .select('payload')
    .where('model', '=', 'Grant')
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('expires_at', '>', clock.nowMs())
    .execute()
  if (rows.length === 0) return undefined
  const consents = rows.map(({ payload }) => JSON.parse(payload) as ConsentPayload)
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(new Set(consents.flatMap(({ openid }) => readWords(openid?.scope))))
  // A copy lasts no longer than what was consented to.
  grant.exp = Math.max(...consents.map(({ exp }) => exp))
  await grant.save()
  return grant
}

/** What the provider keeps of a consent, as far as we read it. */
export interface ConsentPayload {
  readonly openid?: { readonly scope?: string }
  readonly exp: number
}
