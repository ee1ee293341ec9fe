import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors, type InteractionResults, type Provider } from 'oidc-provider'
import type { Doer } from '#accounts/index.ts'
import { ADDRESSES } from './addresses.ts'
import { SIGNED_IN_SINCE } from './complete-request.ts'
import { NO_ACCOUNT } from './interaction-policy.ts'
import { readWords } from './read-words.ts'
import { toSeconds, type SignedIn } from './signed-in.ts'

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
  /** Who is signed in there, for the audit log. */
  readonly doer: Doer | undefined
}

/** What an authorization asks a person before it goes on. */
export interface Interactions {
  next(exchange: Exchange): Promise<InteractionStep>
  /** Consents to what was asked. Never answers `consent`. */
  allow(exchange: Exchange): Promise<InteractionStep>
  deny(exchange: Exchange): Promise<InteractionStep>
}

type Details = Awaited<ReturnType<Provider['interactionDetails']>>

/** Told of each consent that is given, once it is. */
export type NoteConsent = (doer: Doer, app: { readonly clientId: string }) => Promise<void>

/** `current` is asked each time: keys change while the service runs, and the provider with them. */
export function createInteractions(
  current: () => Provider,
  noteConsent: NoteConsent,
): Interactions {
  return {
    next: (exchange) => decide(current(), exchange, undefined),
    allow: (exchange) => decide(current(), exchange, noteConsent),
    async deny(exchange) {
      const provider = current()
      const details = await readDetails(provider, exchange)
      return details ? finish(provider, exchange, REFUSED) : { kind: 'gone' }
    },
  }
}

async function decide(
  provider: Provider,
  exchange: Exchange,
  /** Of a consent that is given now; without it one is asked for. */
  noteConsent: NoteConsent | undefined,
): Promise<InteractionStep> {
  const details = await readDetails(provider, exchange)
  if (!details) return { kind: 'gone' }
  const { signedIn } = exchange
  const locales = readWords(details.params['ui_locales'])
  if (!signedIn) return { kind: 'sign_in', again: false, locales }
  if (mustSignInAgain(details, signedIn)) return { kind: 'sign_in', again: true, locales }
  if (wasAskedOfAnother(details, signedIn)) return startOver(details)
  if (details.prompt.name !== 'consent') {
    return finish(provider, exchange, describeSignIn(details, signedIn))
  }
  if (noteConsent) {
    const step = await consentTo(provider, exchange, details)
    const { doer } = exchange
    if (doer) await noteConsent(doer, { clientId: String(details.params['client_id']) })
    return step
  }
  return { kind: 'consent', request: await describeConsent(provider, details, locales) }
}

/** Somebody else signed in meanwhile: they must not consent to what the other one was asked. */
function wasAskedOfAnother({ prompt, session }: Details, { personId }: SignedIn): boolean {
  const isAskedOfAnybody = prompt.name !== 'consent' && session?.accountId === undefined
  return !isAskedOfAnybody && session?.accountId !== personId
}

async function finish(
  provider: Provider,
  { request, response }: Exchange,
  result: InteractionResults,
): Promise<InteractionStep> {
  const to = await provider.interactionResult(request, response, result, {
    mergeWithLastSubmission: true,
  })
  return { kind: 'redirect', to }
}

const REFUSED = { error: 'access_denied', error_description: 'The person refused.' }
const UNVERIFIED = { error: 'access_denied', error_description: 'The account is not verified.' }
const NOT_EXPECTED = {
  error: 'login_required',
  error_description: 'Somebody else is signed in than the app expects.',
}

function describeSignIn({ prompt }: Details, { personId, sinceMs }: SignedIn): InteractionResults {
  // Both would be asked for ever: nothing that this person can do here answers them.
  if (prompt.reasons.includes(NO_ACCOUNT)) return UNVERIFIED
  if (prompt.reasons.includes('id_token_hint')) return NOT_EXPECTED
  return { login: { accountId: personId, ts: toSeconds(sinceMs) }, select_account: {} }
}

async function consentTo(
  provider: Provider,
  exchange: Exchange,
  { grantId, params, session }: Details,
): Promise<InteractionStep> {
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const made = { accountId: String(session?.accountId), clientId: String(params['client_id']) }
  const grant = known ?? new provider.Grant(made)
  grant.addOIDCScope(readWords(params['scope']))
  // Consented to anew, it holds as long as a new one.
  Object.assign(grant, { exp: undefined })
  return finish(provider, exchange, { consent: { grantId: await grant.save() } })
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

/** What is answered by signing in after it was asked, and by nothing else. */
const WANT_SIGN_IN = new Set(['login_prompt', 'select_account_prompt', 'max_age', 'id_token_hint'])

function mustSignInAgain({ prompt, params }: Details, { sinceMs }: SignedIn): boolean {
  if (!prompt.reasons.some((reason) => WANT_SIGN_IN.has(reason))) return false
  const askedSince = params[SIGNED_IN_SINCE]
  return askedSince !== undefined && sinceMs <= Number(askedSince)
}

/** Asks again from the start, for whoever has signed in since. */
function startOver({ params }: Details): InteractionStep {
  const { prompt, [SIGNED_IN_SINCE]: _since, ...rest } = params as Record<string, string>
  const prompts = readWords(prompt).filter((one) => !['login', 'select_account'].includes(one))
  const query = new URLSearchParams({
    ...rest,
    ...(prompts.length > 0 && { prompt: prompts.join(' ') }),
  })
  return { kind: 'redirect', to: `${ADDRESSES.authorization}?${query.toString()}` }
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
    scopes: readWords(details.params['scope']),
    locales,
  }
}
