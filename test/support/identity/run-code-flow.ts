import { createHash, randomBytes } from 'node:crypto'
import type { Service } from '../service.ts'
import type { Visit, VisitOptions, Visitor } from './visitor.ts'

/** An app as the provider knows it, and where it has people sent back to. */
export interface App {
  readonly clientId: string
  readonly secret?: string | null | undefined
  readonly redirectUri: string
}

/** What an app was answered, and the tokens where it got any. */
export interface Grant {
  readonly visit: Visit
  readonly status: number
  readonly body: TokenBody
}

export interface TokenBody {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly error?: string
}

/** The whole code flow with PKCE, by plain HTTP: what an app does that has no library. */
export async function runCodeFlow(
  service: Service,
  visitor: Visitor,
  app: App,
  options: VisitOptions = {},
): Promise<Grant> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    scope: 'openid profile email plano offline_access',
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const address = new URL(`${service.origin}/api/oidc/authorize?${query.toString()}`)
  const visit = await visitor.authorize(address, options)
  const code = visit.callback?.searchParams.get('code')
  if (!code) return { visit, status: 0, body: {} }
  const answer = await callTokenEndpoint(service, app, {
    grant_type: 'authorization_code',
    redirect_uri: app.redirectUri,
    code,
    code_verifier: verifier,
  })
  return { visit, ...answer }
}

export async function refreshTokens(
  service: Service,
  app: App,
  refreshToken: string | undefined,
): Promise<{ readonly status: number; readonly body: TokenBody }> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' }
  return callTokenEndpoint(service, app, form)
}

async function callTokenEndpoint(
  service: Service,
  { clientId, secret }: App,
  form: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: TokenBody }> {
  const response = await fetch(`${service.origin}/api/oidc/token`, {
    method: 'POST',
    headers: secret ? { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` } : {},
    body: new URLSearchParams({ ...form, ...(!secret && { client_id: clientId }) }),
  })
  return { status: response.status, body: (await response.json()) as TokenBody }
}

/** The status that userinfo answers a token with. */
export async function askUserInfo(service: Service, token: string | undefined): Promise<number> {
  const { status } = await fetch(`${service.origin}/api/oidc/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return status
}
