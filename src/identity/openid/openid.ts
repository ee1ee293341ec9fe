import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { deriveKey } from '../keys/sealing.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { createProvider, type ProviderOptions } from './create-provider.ts'
import { guardProvider } from './guard-provider.ts'
import { createInteractions, type Interactions } from './interactions.ts'

/** The OpenID provider. */
export interface OpenId {
  /** Answers at its own addresses. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  readonly interactions: Interactions
  /** Takes up keys that were made, here or by another replica, or whose time has come. */
  refreshKeys(): Promise<void>
}

export interface OpenIdOptions extends Omit<ProviderOptions, 'cookieKeys'> {
  readonly secret: string
  readonly signingKeys: SigningKeys
  findPersonId(context: KoaContextWithOIDC): Promise<string | undefined>
}

export async function createOpenId(options: OpenIdOptions): Promise<OpenId> {
  const { secret, signingKeys } = options
  const cookieKeys = [deriveKey(secret, 'openid cookies').toString('base64url')]
  let kids = ''
  let provider: Provider
  let answer: ReturnType<Provider['callback']>

  async function refreshKeys(): Promise<void> {
    const keys = await signingKeys.read()
    const found = keys.map(({ kid }) => kid).join(' ')
    if (found === kids) return
    const made = createProvider({ ...options, cookieKeys }, [...keys])
    guardProvider(made, options)
    kids = found
    provider = made
    answer = made.callback()
  }

  await refreshKeys()
  return {
    handle: (request, response) => answer(request, response),
    interactions: createInteractions(() => provider),
    refreshKeys,
  }
}
