import { listenForCallback, type Page } from './await-callback.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { openCredentials, type Credentials } from './credentials-file.ts'
import { toCredentials } from './fresh-credentials.ts'
import { asked, findSignInService, readSignInUrl, type SignInService } from './sign-in-service.ts'

export interface LoginOptions {
  readonly browser: boolean
  /** How long to wait for the browser, in seconds. */
  readonly timeout: number
}

const SCOPES = 'openid profile email plano offline_access'

/** Signs a person in by their browser, and keeps what the service gives. */
export async function login(io: CommandIo, options: LoginOptions): Promise<void> {
  const file = openCredentials(io)
  const url = readSignInUrl(io)
  // What stands in the way of keeping credentials is better told before there are any.
  file.read(url)
  const service = await findSignInService(url)
  await signIn(io, service, options, (credentials) =>
    file.locked(async (write) => write(url, credentials)),
  )
  io.stdout.write(`Signed in at ${url}. See who you are there: parley whoami\n`)
}

/** RFC 8252: the system's browser, a loopback address to come back to, and PKCE. */
async function signIn(
  io: CommandIo,
  service: SignInService,
  options: LoginOptions,
  keep: (credentials: Credentials) => Promise<void>,
): Promise<void> {
  const { openid, config } = service
  const [state, verifier] = [openid.randomState(), openid.randomPKCECodeVerifier()]
  const listener = await listenForCallback(state)
  const patience = beginWaiting(io, options.timeout)
  try {
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: listener.redirectUri,
      scope: SCOPES,
      state,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    io.stderr.write(
      `To sign in, open this address in a browser on this machine:\n\n  ${url.href}\n\n`,
    )
    if (options.browser) await io.openBrowser?.(url.href)
    const callback = await listener.next(patience.signal)
    const ending = exchangeCode(service, callback.url, { state, verifier }).then(keep)
    await callback.answer(await ending.then(() => SIGNED_IN, describeFailure))
    await ending
  } finally {
    patience.end()
    await listener.close()
  }
}

/** Nobody has to come: the signal says when the time is over, or the person does not want to wait. */
function beginWaiting({ onInterrupt }: CommandIo, timeoutS: number) {
  const ended = new AbortController()
  const giveUp = (sentence: string) => () => ended.abort(new CommandError(sentence))
  const tooLate = giveUp(`Nobody signed in within ${timeoutS} seconds. Run parley login again.`)
  const timer = setTimeout(tooLate, timeoutS * 1_000)
  const stopListening = onInterrupt?.(giveUp('Stopped before anybody had signed in.'))
  return {
    signal: ended.signal,
    end() {
      clearTimeout(timer)
      stopListening?.()
    },
  }
}

async function exchangeCode(
  service: SignInService,
  callback: URL,
  { state, verifier }: { readonly state: string; readonly verifier: string },
): Promise<Credentials> {
  const { url, openid, config } = service
  try {
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    const tokens = await asked(url, () => openid.authorizationCodeGrant(config, callback, checks))
    return toCredentials(service, tokens)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { error: code } = error as { readonly error?: unknown }
    if (code === 'access_denied') {
      throw new CommandError('You did not allow it in the browser: you are not signed in.', {
        cause: error,
      })
    }
    const reason = typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? ` (${code})` : ''
    throw new CommandError(`${url} did not sign you in${reason}. Run parley login again.`, {
      cause: error,
    })
  }
}

const SIGNED_IN: Page = {
  status: 200,
  title: 'You are signed in',
  sentence: 'The parley command goes on. You can close this window.',
}

function describeFailure(error: unknown): Page {
  const what = error instanceof CommandError ? error.message : 'Something failed.'
  return {
    status: 400,
    title: 'You are not signed in',
    sentence: `${what} You can close this window.`,
  }
}
