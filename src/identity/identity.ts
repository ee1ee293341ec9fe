import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/index.ts'
import { withTables, type Store } from '#platform/store/index.ts'
import type { Actor, Deed, Persons } from '#accounts/index.ts'
import {
  dropSigningKey,
  rotateSigningKey,
  type KeyDrop,
  type KeyRotation,
} from './keys/change-signing-keys.ts'
import { checkSecret } from './keys/check-secret.ts'
import { createSealing } from './keys/sealing.ts'
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts'
import { createClients, type Clients } from './openid/clients.ts'
import { createConnectedApps, type ConnectedApps } from './openid/connected-apps.ts'
import type { Lifetimes } from './openid/create-provider.ts'
import type { OpenId } from './openid/openid.ts'
import { createCreditedAddresses, type CreditedAddresses } from './people/credited-addresses.ts'
import { createLockOut, type LockOut } from './people/lock-out.ts'
import type { People } from './people/people.ts'
import { createNoteDeed } from './people/note-deed.ts'
import { createSendMail, type SendMail } from './people/send-mail.ts'
import { createOperatorDeeds, type OperatorDeeds } from './people/operator-deeds.ts'
import { operatorCanSignIn } from './people/operator-can-sign-in.ts'
import { createSignInLinks, type SignInLinks } from './people/sign-in-links.ts'
import { selectSignInMethods, type SignInMethods } from './people/sign-in-methods.ts'
import { createRepeats } from './repeats.ts'
import { sweep } from './sweep.ts'
import type { IdentityTables } from './tables.ts'

/** Who people are, to us and to the apps that they sign in to. */
export interface Identity extends OperatorDeeds {
  /** The origin of {auth_url}, e.g. "https://auth.example.com". */
  readonly issuer: string
  /** Refuses to go on with another secret than the store's. Loads nothing that is heavy. */
  prepare(): Promise<void>
  /** What is heavy, half a second of it: loaded by the first call, which is best made once we listen. */
  load(): Promise<LoadedIdentity>
  readonly signingKeys: SigningKeys
  readonly clients: Clients
  /** Taken up here at once, by other replicas within half a minute. */
  rotateSigningKey(delayMs: number, actor: Actor): Promise<KeyRotation>
  dropSigningKey(kid: string, actor: Actor): Promise<KeyDrop>
  readonly connectedApps: ConnectedApps
  readonly signInLinks: SignInLinks
  /** By what a person can sign in, and nothing that would. */
  signInMethods(personId: string): Promise<SignInMethods>
  /** Whether an operator is signed in, or has what it takes to sign in. */
  operatorCanSignIn(): Promise<boolean>
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
  const reads = withTables<IdentityTables>(store.reads)
  const by = (actor: Actor): Deed => ({ actor, atMs: clock.nowMs() })
  let loading: Promise<LoadedIdentity> | undefined
  const repeats = createRepeats(log)
  const lockOut = createLockOut({ db, clock, secret })
  const signInLinks = createSignInLinks({ ...options, db })
  const creditedAddresses = createCreditedAddresses({ ...options, db })
  const sendMail = createSendMail(options)
  const shared = { db, signingKeys, lockOut, signInLinks, creditedAddresses, sendMail }
  const sweepAll = () => sweep({ ...options, db, signingKeys })

  async function load(): Promise<LoadedIdentity> {
    const loaded = await loadRooms(options, shared)
    repeats.every(REFRESH_KEYS_MS, 'reading the signing keys', () => loaded.openId.refreshKeys())
    // Replicas that start together do not sweep together.
    repeats.every(SWEEP_MS + randomInt(SWEEP_MS / 4), 'deleting what has expired', sweepAll)
    return loaded
  }

  /** After a change of the keys; what is not loaded reads them when it is. */
  async function thenRefresh<Outcome>(changing: Promise<Outcome>): Promise<Outcome> {
    const outcome = await changing
    const loaded = await loading?.catch(() => undefined)
    await loaded?.openId.refreshKeys()
    return outcome
  }

  return {
    issuer,
    signingKeys,
    clients: createClients({ db, reads, clock }),
    ...createOperatorDeeds({ ...options, ...shared }),
    rotateSigningKey: (delayMs, actor) =>
      thenRefresh(rotateSigningKey(db, signingKeys, delayMs, by(actor))),
    dropSigningKey: (kid, actor) => thenRefresh(dropSigningKey(db, signingKeys, kid, by(actor))),
    connectedApps: createConnectedApps({ db, clock }),
    signInLinks,
    signInMethods: (personId) => selectSignInMethods(reads, personId),
    operatorCanSignIn: () => operatorCanSignIn(db, options.persons, clock.nowMs()),
    sweep: sweepAll,
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
      repeats.close()
    },
  }
}

interface Shared {
  readonly db: Kysely<IdentityTables>
  readonly signingKeys: SigningKeys
  readonly lockOut: LockOut
  readonly signInLinks: SignInLinks
  readonly creditedAddresses: CreditedAddresses
  readonly sendMail: SendMail
}

async function loadRooms(
  options: IdentityOptions,
  { signingKeys, ...shared }: Shared,
): Promise<LoadedIdentity> {
  const [{ createAuth }, { createPeople }, { createOpenId }] = await Promise.all([
    import('./people/create-auth.ts'),
    import('./people/people.ts'),
    import('./openid/openid.ts'),
  ])
  const tools = {
    ...options,
    ...shared,
    noteDeed: createNoteDeed({ ...options, ...shared }),
  }
  const people = createPeople({ ...tools, auth: createAuth(tools) })
  const openId = await createOpenId({
    ...options,
    db: shared.db,
    signingKeys,
    async findSignedIn({ req }) {
      const session = await people.findSession(req.headers)
      return session && { personId: session.personId, sinceMs: session.sinceMs }
    },
  })
  return { people, openId }
}
