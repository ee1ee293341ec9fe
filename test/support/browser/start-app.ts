import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as client from 'openid-client'
import type { Scope, Service } from '../service.ts'
import { registerClient } from '../identity/register-client.ts'

/** An app that people sign in to, at an origin of its own: "/" sends them to us, and they come back. */
export interface SignInApp {
  readonly origin: string
  readonly name: string
  /** The access tokens that it was given, the last one last. */
  readonly tokens: readonly string[]
  /** Sends on to the sign-in with these besides. */
  startUrl(params?: Readonly<Record<string, string>>): string
}

/** Where somebody is sent on to, or what they read. */
interface Answer {
  readonly to?: string
  readonly text?: string
}

const NAMES = { scope: 'openid profile email plano' }

/** It shows "Hello, {name} ({plan})" in the end, or "Refused: {error}". */
export async function startApp(scope: Scope, service: Service): Promise<SignInApp> {
  const accessTokens: string[] = []
  const waiting = new Map<string, { readonly verifier: string }>()
  const origin = await serve(scope, answer)
  const clientId = `app-${origin.slice(-5)}`
  await registerClient(service, { clientId, kind: 'public', redirectUris: [`${origin}/callback`] })
  const issuer = new URL(service.app.identity.issuer)
  const config = await client.discovery(issuer, clientId, undefined, client.None(), {
    // oxlint-disable-next-line typescript/no-deprecated -- Deprecated only to stand out; this is loopback.
    execute: [client.allowInsecureRequests],
  })

  async function answer(url: URL): Promise<Answer> {
    if (url.pathname === '/start') return { to: await begin(url.searchParams) }
    if (url.pathname !== '/callback') return { text: 'Nothing here' }
    const error = url.searchParams.get('error')
    if (error !== null) return { text: `Refused: ${error}` }
    const state = url.searchParams.get('state') ?? ''
    const verifier = waiting.get(state)?.verifier ?? ''
    const checks = { pkceCodeVerifier: verifier, expectedState: state }
    const tokens = await client.authorizationCodeGrant(config, url, checks)
    accessTokens.push(tokens.access_token)
    const sub = tokens.claims()?.sub ?? ''
    const { name, plano } = await client.fetchUserInfo(config, tokens.access_token, sub)
    return { text: `Hello, ${name} (${JSON.stringify(plano)})` }
  }

  async function begin(params: URLSearchParams): Promise<string> {
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    waiting.set(state, { verifier })
    return client.buildAuthorizationUrl(config, {
      ...NAMES,
      redirect_uri: `${origin}/callback`,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...Object.fromEntries(params),
    }).href
  }

  return {
    origin,
    name: `The app ${clientId}`,
    tokens: accessTokens,
    startUrl: (params = {}) => `${origin}/start?${new URLSearchParams(params).toString()}`,
  }
}

/** Its origin. */
async function serve(scope: Scope, answer: (url: URL) => Promise<Answer>): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    void answer(url)
      .then(({ to, text }) => {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.writeHead(to ? 302 : 200, to ? { location: to } : {})
        response.end(`<!doctype html><title>App</title><h1>${text ?? ''}</h1>`)
      })
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
