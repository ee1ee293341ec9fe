import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import { recordAudit } from '#accounts/index.ts'
import { isStoreUnavailable } from '#platform/store/index.ts'
import { deriveKey } from '../keys/sealing.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { AuthorizationProblem } from './authorization-problem.ts'
import { createProvider, type ProviderOptions } from './create-provider.ts'
import { guardProvider } from './guard-provider.ts'
import { createInteractions, type Interactions, type NoteConsent } from './interactions.ts'
import { findOnce } from './signed-in.ts'

/** The OpenID provider. */
export interface OpenId {
  /** Answers at its own addresses; what it returns it has not answered, a page has to. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<AuthorizationProblem | undefined>
  readonly interactions: Interactions
  /** Takes up keys that were made, here or by another replica. */
  refreshKeys(): Promise<void>
}

export interface OpenIdOptions extends Omit<ProviderOptions, 'cookieKeys' | 'tellProblem'> {
  readonly secret: string
  readonly signingKeys: SigningKeys
  readonly log: Log
}

interface Current {
  readonly provider: Provider
  readonly answer: ReturnType<Provider['callback']>
  readonly kids: string
  /** When another key begins to sign. */
  readonly changesAtMs: number
}

type Failures = WeakMap<IncomingMessage, { readonly error: unknown }>

export async function createOpenId(options: OpenIdOptions): Promise<OpenId> {
  const { secret, signingKeys, clock, log } = options
  const problems = new WeakMap<IncomingMessage, AuthorizationProblem>()
  const failures: Failures = new WeakMap()
  const settings = {
    ...options,
    cookieKeys: [deriveKey(secret, 'openid cookies').toString('base64url')],
    findSignedIn: findOnce(options.findSignedIn),
    tellProblem: (context: KoaContextWithOIDC, problem: AuthorizationProblem) => {
      problems.set(context.req, problem)
      context.respond = false
    },
  }

  async function build(last?: Current): Promise<Current> {
    const { keys, changesAtMs } = await signingKeys.read()
    const kids = keys.map(({ kid }) => kid).join(' ')
    if (kids === last?.kids) return { ...last, changesAtMs }
    const provider = createProvider(settings, [...keys])
    keepFailures(provider, failures)
    guardProvider(provider, settings)
    logFailures(provider, log)
    return { provider, answer: provider.callback(), kids, changesAtMs }
  }

  async function refreshKeys(): Promise<void> {
    current = await build(current)
  }

  /** At the moment that was said, and not at the next look; where that fails, the last key still signs. */
  async function changeKeys(): Promise<void> {
    await refreshKeys().catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'the signing keys could not be read')
    })
  }

  let current = await build()
  return {
    async handle(request, response) {
      if (clock.nowMs() >= current.changesAtMs) await changeKeys()
      // Fastify keeps the address as it was sent here, and the provider would build others of it.
      Object.assign(request, { originalUrl: request.url })
      await current.answer(request, response)
      const failure = failures.get(request)
      if (failure) throw failure.error
      return problems.get(request)
    },
    interactions: createInteractions(() => current.provider, createNoteConsent(options)),
    refreshKeys,
  }
}

function createNoteConsent({ db, clock }: OpenIdOptions): NoteConsent {
  return async function noteConsent(doer, { clientId }) {
    const deed = { actor: doer, atMs: clock.nowMs() }
    const details = { person_id: doer.id, client_id: clientId }
    await db.transaction().execute((tx) => recordAudit(tx, deed, 'app.connected', null, details))
  }
}

/** What fails in our own rules is answered like any failure of ours. */
function keepFailures(provider: Provider, failures: Failures): void {
  provider.use(async (context, next) => {
    try {
      await next()
    } catch (error) {
      failures.set(context.req, { error })
      context.respond = false
    }
  })
}

/** The provider would print whole errors, and answer for a store that is away as for a bug. */
function logFailures(provider: Provider, log: Log): void {
  provider.silent = true
  provider.on('server_error', (context: KoaContextWithOIDC, error: unknown) => {
    log.error({ error: describeError(error) }, 'the OpenID provider failed unexpectedly')
    if (isStoreUnavailable(error)) context.status = 503
  })
}
