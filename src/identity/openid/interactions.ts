import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import { ADDRESSES } from './addresses.ts'

/** Who is signed in, and since when. */
export interface SignedIn {
  readonly personId: string
  readonly sinceMs: number
}

export interface ConsentRequest {
  readonly uid: string
  readonly client: { readonly id: string; readonly name: string }
  /** Where the person is sent back to. */
  readonly redirectUri: string
  /** All that the app asks for, in the order it asked. */
  readonly scopes: readonly string[]
  /** Languages that the app suggests, best first (`ui_locales`). */
  readonly locales: readonly string[]
}

/** What has to happen next before an authorization can go on. */
export type InteractionStep =
  /** It expired, or was begun in another browser. */
  | { readonly kind: 'gone' }
  /** `again`: they are signed in, but the app wants them to show it anew. */
  | { readonly kind: 'sign_in'; readonly again: boolean; readonly locales: readonly string[] }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'consent'; readonly request: ConsentRequest }

/** One HTTP exchange in which the browser's cookie names the interaction. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Of the address; must be the cookie's. */
  readonly uid: string
  readonly signedIn: SignedIn | undefined
}

/** What an authorization asks a person before it goes on. */
export interface Interactions {
  next(exchange: Exchange): Promise<InteractionStep>
  /** Consents to what was asked. Never answers `consent`. */
  allow(exchange: Exchange): Promise<InteractionStep>
  deny(exchange: Exchange): Promise<InteractionStep>
}

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** `current` is asked each time: keys change while the service runs, and the provider with them. */
export function createInteractions(current: () => Provider): Interactions {
  async function finish(exchange: Exchange, result: InteractionResults): Promise<InteractionStep> {
    const { request, response } = exchange
    const to = await current().interactionResult(request, response, result, {
      mergeWithLastSubmission: true,
    })
    return { kind: 'redirect', to }
  }

  async function consentTo(
    exchange: Exchange,
    details: Details,
    personId: string,
  ): Promise<InteractionStep> {
    const { Grant } = current()
    const known = details.grantId === undefined ? undefined : await Grant.find(details.grantId)
    const clientId = String(details.params['client_id'])
    const grant = known ?? new Grant({ accountId: personId, clientId })
    grant.addOIDCScope(readScopes(details).join(' '))
    return finish(exchange, { consent: { grantId: await grant.save() } })
  }

  async function next(exchange: Exchange, consent?: 'given'): Promise<InteractionStep> {
    const details = await readDetails(current(), exchange)
    if (!details) return { kind: 'gone' }
    const { signedIn } = exchange
    const locales = readWords(details.params['ui_locales'])
    if (!signedIn) return { kind: 'sign_in', again: false, locales }
    if (details.prompt.name === 'login') {
      if (mustSignInAgain(details, signedIn)) return { kind: 'sign_in', again: true, locales }
      const known = details.session?.accountId
      if (known !== undefined && known !== signedIn.personId) return startOver(details)
      const ts = Math.floor(signedIn.sinceMs / 1_000)
      return finish(exchange, { login: { accountId: signedIn.personId, ts } })
    }
    // Somebody else signed in meanwhile: they must not consent to what the other one was asked.
    if (details.session?.accountId !== signedIn.personId) return startOver(details)
    if (consent === 'given' || isConsentedTo(details)) {
      return consentTo(exchange, details, signedIn.personId)
    }
    return { kind: 'consent', request: await describeConsent(current(), details, locales) }
  }

  return {
    next: (exchange) => next(exchange),
    allow: (exchange) => next(exchange, 'given'),
    async deny(exchange) {
      const details = await readDetails(current(), exchange)
      if (!details) return { kind: 'gone' }
      const error = { error: 'access_denied', error_description: 'The person refused.' }
      return finish(exchange, error)
    },
  }
}

async function readDetails(
  provider: Provider,
  { request, response, uid }: Exchange,
): Promise<Details | undefined> {
  try {
    const details = await provider.interactionDetails(request, response)
    return details.uid === uid ? details : undefined
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined
    throw error
  }
}

/** `prompt=login` and `max_age` want a sign-in that is younger than the request. */
function mustSignInAgain({ prompt, iat }: Details, { sinceMs }: SignedIn): boolean {
  const isAsked = prompt.reasons.some((reason) => ['login_prompt', 'max_age'].includes(reason))
  return isAsked && Math.floor(sinceMs / 1_000) < iat
}

/** Asks again from the start, for whoever is signed in now. */
function startOver({ params }: Details): InteractionStep {
  const { prompt, ...rest } = params as Record<string, string>
  const prompts = readWords(prompt).filter((one) => one !== 'login')
  const query = new URLSearchParams({
    ...rest,
    ...(prompts.length > 0 && { prompt: prompts.join(' ') }),
  })
  return { kind: 'redirect', to: `${ADDRESSES.authorization}?${query.toString()}` }
}

/** True where nothing is asked that was not consented to before, and the app did not want it asked. */
function isConsentedTo({ prompt, params, grantId }: Details): boolean {
  if (grantId === undefined) return false
  const isWanted = readWords(params['prompt']).includes('consent')
  const isOurs = isWanted && readScopes({ params }).includes('offline_access')
  return (!isWanted || isOurs) && Object.keys(prompt.details).length === 0
}

async function describeConsent(
  provider: Provider,
  details: Details,
  locales: readonly string[],
): Promise<ConsentRequest> {
  const clientId = String(details.params['client_id'])
  const client = await provider.Client.find(clientId)
  return {
    uid: details.uid,
    client: { id: clientId, name: client?.clientName ?? clientId },
    redirectUri: String(details.params['redirect_uri']),
    scopes: readScopes(details),
    locales,
  }
}

function readScopes({ params }: Pick<Details, 'params'>): string[] {
  return readWords(params['scope'])
}

function readWords(value: unknown): string[] {
  return typeof value === 'string' ? value.split(' ').filter((word) => word !== '') : []
}
