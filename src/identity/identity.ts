import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/index.ts'
import { withTables, type Store } from '#platform/store/index.ts'
import type { Persons } from '#accounts/index.ts'
import { checkSecret } from './keys/check-secret.ts'
import { createSealing } from './keys/sealing.ts'
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import type { Lifetimes } from './openid/create-provider.ts'
import type { OpenId } from './openid/openid.ts'
import { createCreditedAddresses } from './people/credited-addresses.ts'
import { createLockOut, type LockOut } from './people/lock-out.ts'
import type { People } from './people/people.ts'
import { createSendMail } from './people/send-mail.ts'
import { sweep } from './sweep.ts'
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
  /** Deletes what has expired; done every hour once loaded. */
  sweep(): Promise<void>
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
const SWEEP_MS = 3_600_000

export function createIdentity(options: IdentityOptions): Identity {
  const { store, clock, log, issuer, secret } = options
  const db = withTables<IdentityTables>(store.db)
  const sealing = createSealing(secret, 'signing keys')
  const signingKeys = createSigningKeys({ db, sealing, clock })
  let loading: Promise<LoadedIdentity> | undefined
  const lockOut = createLockOut({ db, clock, secret })
  const timers: NodeJS.Timeout[] = []
  const repeat = (everyMs: number, what: string, work: () => Promise<void>): void => {
    const onFailure = (error: unknown): void =>
      log.warn({ error: describeError(error) }, `${what} failed; it is done again later`)
    timers.push(setInterval(() => void work().catch(onFailure), everyMs).unref())
  }

  async function load(): Promise<LoadedIdentity> {
    const loaded = await loadRooms(options, { db, signingKeys, lockOut })
    repeat(REFRESH_KEYS_MS, 'reading the signing keys', () => loaded.openId.refreshKeys())
    // Replicas that start together do not sweep together.
    repeat(SWEEP_MS + randomInt(SWEEP_MS / 4), 'sweeping', () => identity.sweep())
    return loaded
  }

  const identity: Identity = {
    issuer,
    signingKeys,
    sweep: () => sweep({ db, clock, signingKeys }),
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
  return identity
}

interface Shared {
  readonly db: Kysely<IdentityTables>
  readonly signingKeys: SigningKeys
  readonly lockOut: LockOut
}

async function loadRooms(
  options: IdentityOptions,
  { db, signingKeys, lockOut }: Shared,
): Promise<LoadedIdentity> {
  const [{ createAuth }, { createPeople }, { createOpenId }] = await Promise.all([
    import('./people/create-auth.ts'),
    import('./people/people.ts'),
    import('./openid/openid.ts'),
  ])
  const tools = {
    ...options,
    db,
    lockOut,
    creditedAddresses: createCreditedAddresses({ ...options, db }),
    sendMail: createSendMail(options),
  }
  const people = createPeople({ ...tools, auth: createAuth(tools) })
  const openId = await createOpenId({
    ...options,
    db,
    signingKeys,
    findPersonId: async ({ req }) => (await people.findSession(req.headers))?.personId,
  })
  return { people, openId }
}
