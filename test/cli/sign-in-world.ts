import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild, type Child } from '../support/child.ts'
import { createVisitor, type Visitor, type VisitOptions } from '../support/identity/visitor.ts'
import { serveFor, type Scope, type Service, type ServiceOptions } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

/** A person at a terminal, with a browser beside it, and a service that they have an account of. */
export interface SignInWorld {
  readonly service: Service
  readonly visitor: Visitor
  readonly email: string
  /** Where the command keeps its credentials. */
  readonly directory: string
  readonly path: string
  /** What it has kept of this service. */
  kept(): Kept
  /** Runs the command as a process of its own, to its end. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Child
  /** `parley login`, with the person doing in the browser what they are asked. */
  login(options?: VisitOptions): Promise<Ran & { readonly page: string }>
  /** What the browser is left with, when it has gone where the command says. */
  browse(child: Child, options?: VisitOptions): Promise<URL>
}

export interface Kept {
  readonly issuer: string
  readonly client_id: string
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_at: number
}

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const EMAIL = 'ana@example.com'

export async function openSignInWorld(
  scope: Scope,
  options: ServiceOptions = {},
): Promise<SignInWorld> {
  const service = await serveFor(scope, {
    identity: true,
    // The services of a process count sign-ups together, by the address that they come from.
    trustedProxies: ['127.0.0.1'],
    ...options,
  })
  const home = makeTemporaryDirectory(scope)
  const path = join(home, 'parley', 'credentials.json')
  const visitor = createVisitor(service)
  await visitor.signUp(EMAIL, 'Ana')

  const start: SignInWorld['start'] = (args, env = {}) =>
    startChild('src/cli/parley.ts', args, {
      env: { PARLEY_URL: service.origin, XDG_CONFIG_HOME: home, ...env },
    })

  const browse: SignInWorld['browse'] = async (child, visit = {}) => {
    const address = await readAddress(child)
    const onSignIn = () => visitor.signIn(EMAIL)
    const { callback, trail } = await visitor.authorize(address, { onSignIn, ...visit })
    assert.ok(callback, trail.join('\n'))
    return callback
  }

  return {
    service,
    visitor,
    email: EMAIL,
    directory: join(home, 'parley'),
    path,
    kept() {
      const all = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Kept>
      assert.deepEqual(Object.keys(all), [service.origin])
      return all[service.origin] as Kept
    },
    start,
    run: async (args, env) => end(start(args, env)),
    browse,
    async login(visit) {
      const child = start(['login', '--no-browser'])
      const response = await fetch(await browse(child, visit))
      return { page: await response.text(), ...(await end(child)) }
    },
  }
}

/** The address that the command shows, which it does on standard error. */
export async function readAddress(child: Child): Promise<URL> {
  const [, address = ''] = await child.complained(/^ {2}(http\S+)$/m)
  return new URL(address)
}

export async function end(child: Child): Promise<Ran> {
  const code = await child.ended
  return { code, stdout: child.stdout, stderr: child.stderr }
}
