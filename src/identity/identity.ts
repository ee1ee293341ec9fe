import type { Clock } from '#platform/clock.ts'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/index.ts'
import { withTables, type Store } from '#platform/store/index.ts'
import type { Persons } from '#accounts/index.ts'
import { checkSecret } from './keys/check-secret.ts'
import { createSealing } from './keys/sealing.ts'
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import { createConnectedApps, type ConnectedApps } from './openid/connected-apps.ts'
import type { Lifetimes } from './openid/create-provider.ts'
import type { OpenId } from './openid/openid.ts'
import { sweepArtifacts } from './openid/sweep-artifacts.ts'
import type { People } from './people/people.ts'
import type { IdentityTables } from './tables.ts'

/** Who people are, to us and to the apps that they sign in to. */
export interface Identity {
  /** The origin of {auth_url}, e.g. "https://auth.example.com". */
  readonly issuer: string
  /** Refuses to go on with another secret than the store's. Loads nothing that is heavy. */
  prepare(): Promise<void>
  /** What is heavy, half a second of it: loaded by the first call, which is best made once we listen. */
  load(): Promise<LoadedIdentity>
  readonly signingKeys: SigningKeys
  readonly connectedApps: ConnectedApps
  close(): Promise<void>
}

export interface LoadedIdentity {
  readonly people: People
  readonly openId: OpenId
}

export interface IdentityOptions {
  readonly store: Store
  readonly persons: Persons
  readonly clock: Clock
  readonly log: Log
  readonly issuer: string
  /** What all that is kept encrypted is encrypted with. */
  readonly secret: string
  readonly mailer: Mailer
  readonly lifetimes?: Partial<Lifetimes>
}

/** How soon a replica sees a key that another one made. */
const REFRESH_KEYS_MS = 30_000
/** How often what has expired is deleted. */
const SWEEP_MS = 600_000

export function createIdentity(options: IdentityOptions): Identity {
  const { store, clock, log, issuer, secret } = options
  const db = withTables<IdentityTables>(store.db)
  const sealing = createSealing(secret, 'signing keys')
  const signingKeys = createSigningKeys({ db, sealing, clock })
  let loading: Promise<LoadedIdentity> | undefined
  const timers: NodeJS.Timeout[] = []

  function repeat(everyMs: number, what: string, work: () => Promise<void>): void {
    const attempt = (): void => {
      work().catch((error: unknown) => log.warn({ error: describeError(error) }, what))
    }
    timers.push(setInterval(attempt, everyMs).unref())
  }

  async function load(): Promise<LoadedIdentity> {
    const loaded = await loadRooms(options, signingKeys)
    const { refreshKeys } = loaded.openId
    repeat(REFRESH_KEYS_MS, 'the signing keys could not be read', refreshKeys)
    repeat(SWEEP_MS, 'what has expired could not be deleted', async () => {
      await signingKeys.dropPast()
      await sweepArtifacts(db, clock.nowMs())
    })
    return loaded
  }

  return {
    issuer,
    signingKeys,
    connectedApps: createConnectedApps({ db, clock }),
    prepare: () => checkSecret(db, secret),
    load() {
      loading ??= load().catch((error: unknown) => {
        // The next call tries again: the store may only have been away.
        loading = undefined
        throw error
      })
      return loading
    },
    async close() {
      await loading?.catch(() => {})
      for (const timer of timers) clearInterval(timer)
    },
  }
}

async function loadRooms(
  options: IdentityOptions,
  signingKeys: SigningKeys,
): Promise<LoadedIdentity> {
  const [{ createAuth }, { createPeople }, { createOpenId }] = await Promise.all([
    import('./people/create-auth.ts'),
    import('./people/people.ts'),
    import('./openid/openid.ts'),
  ])
  const { mailer } = options
  const auth = createAuth({
    ...options,
    sendMail: (kind, to, url) => mailer.send({ to, subject: kind, text: url }),
  })
  const people = createPeople(auth)
  const openId = await createOpenId({
    ...options,
    db: withTables<IdentityTables>(options.store.db),
    signingKeys,
    async findSignedIn({ req }) {
      const session = await people.findSession(req.headers)
      return session && { personId: session.personId, sinceMs: session.sinceMs }
    },
  })
  return { people, openId }
}
