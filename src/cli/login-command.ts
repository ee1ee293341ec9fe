import { InvalidArgumentError, type Command } from 'commander'
import { listenForCallback, type CallbackListener, type Page } from './await-callback.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { openCredentials, type Credentials } from './credentials-file.ts'
import { addExample } from './data-command.ts'
import { toCredentials } from './fresh-credentials.ts'
import { asked, findSignInService, readSignInUrl, type SignInService } from './sign-in-service.ts'

interface LoginOptions {
  readonly browser: boolean
  readonly timeout: number
}

const SCOPES = 'openid profile email plano offline_access'
const DEFAULT_TIMEOUT_S = 300

export function addLoginCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('login')
    .description('Sign in as yourself, in your browser')
    .option('--no-browser', 'only show the address to open')
    .option(
      '--timeout <seconds>',
      'how long to wait for the browser',
      parseSeconds,
      DEFAULT_TIMEOUT_S,
    )
    .action((options: LoginOptions) => login(io, options))
  addExample(command, 'parley login --no-browser')
}

async function login(io: CommandIo, options: LoginOptions): Promise<void> {
  const file = openCredentials(io)
  const service = await findSignInService(readSignInUrl(io))
  const credentials = await signIn(io, service, options)
  await file.locked(async (write) => write(service.url, credentials))
  io.stdout.write(`Signed in at ${service.url}. See who you are there: parley whoami\n`)
}

/** RFC 8252: the system's browser, a loopback address to come back to, and PKCE. */
async function signIn(
  io: CommandIo,
  service: SignInService,
  options: LoginOptions,
): Promise<Credentials> {
  const { openid, config } = service
  const [state, verifier] = [openid.randomState(), openid.randomPKCECodeVerifier()]
  const listener = await listenForCallback(state)
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
    if (options.browser) io.openBrowser?.(url.href)
    const callback = await awaitCallback(io, listener, options.timeout)
    const exchange = exchangeCode(service, callback.url, { state, verifier })
    await callback.answer(await exchange.then(() => SIGNED_IN, describeFailure))
    return await exchange
  } finally {
    await listener.close()
  }
}

async function awaitCallback(io: CommandIo, listener: CallbackListener, timeoutS: number) {
  const ended = new AbortController()
  const tooLate = new CommandError(
    `Nobody signed in within ${timeoutS} seconds. Run parley login again.`,
  )
  const timer = setTimeout(() => ended.abort(tooLate), timeoutS * 1_000)
  const stopListening = io.onInterrupt?.(() =>
    ended.abort(new CommandError('Stopped before anybody had signed in.')),
  )
  try {
    return await listener.next(ended.signal)
  } finally {
    clearTimeout(timer)
    stopListening?.()
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

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (/^\d+$/.test(text) && seconds >= 1 && seconds <= 3_600) return seconds
  throw new InvalidArgumentError('Give a number of seconds from 1 to 3600.')
}
