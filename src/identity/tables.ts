import type { StoredTables } from '#platform/store/index.ts'

/** One browser in which a person is signed in. Kept by better-auth, like the next five. */
export interface SessionTable {
  id: string
  /** What the browser has, beside a signature that needs our secret. */
  token: string
  user_id: string
  ip_address: string | null
  user_agent: string | null
  expires_at: number
  created_at: number
  updated_at: number
}

/** How a person shows who they are: with us, the argon2id hash of a password. */
export interface CredentialTable {
  id: string
  user_id: string
  account_id: string
  provider_id: string
  password: string | null
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: number | null
  refresh_token_expires_at: number | null
  scope: string | null
  created_at: number
  updated_at: number
}

/** What a link in a mail or a step of signing in refers to; its identifier is hashed. */
export interface VerificationTable {
  id: string
  identifier: string
  value: string
  expires_at: number
  created_at: number
  updated_at: number
}

/** The second factor of a person: secret and recovery codes are encrypted. */
export interface TwoFactorTable {
  id: string
  user_id: string
  secret: string
  backup_codes: string
  verified: number | null
  failed_verification_count: number | null
  locked_until: number | null
  /** The half minute of the last code that was taken: no code of it, or before it, is good again. */
  last_step: number | null
}

export interface PasskeyTable {
  id: string
  user_id: string
  name: string | null
  public_key: string
  credential_id: string
  counter: number
  device_type: string
  backed_up: number
  transports: string | null
  aaguid: string | null
  created_at: number | null
}

/** How often an address called a path of the sign-in API. Replicas share it. */
export interface RateLimitTable {
  id: string
  key: string
  count: number
  last_request: number
}

/** How often in a row a secret was guessed wrong, by a keyed hash of whose it is. */
export interface LockOutTable {
  key: string
  failures: number
  /** No guess is taken before. */
  locked_until: number
  updated_at: number
}

/** Addresses that had the free credit, as keyed hashes: also of people who are gone. */
export interface CreditedAddressTable {
  fingerprint: string
  person_id: string
  created_at: number
}

/** A link that signs a person in, once. */
export interface SignInLinkTable {
  id: string
  /** SHA-256 of what its address ends in, in hex. */
  token_hash: string
  person_id: string
  /** Who made it, as the audit log names them. */
  made_by: string
  /** 1: whoever follows it becomes an operator. */
  makes_operator: 0 | 1
  created_at: number
  expires_at: number
  used_at: number | null
}

/** Codes, tokens, sessions and consents of the OpenID provider, by the SHA-256 of what a client holds. */
export interface OidcArtifactTable {
  model: string
  id: string
  /** JSON, without the token itself. */
  payload: string
  grant_id: string | null
  uid: string | null
  account_id: string | null
  client_id: string | null
  created_at: number
  consumed_at: number | null
  /** Of a consent: when tokens were last made on it. */
  used_at: number | null
  expires_at: number | null
}

export interface OidcClientTable {
  client_id: string
  name: string
  kind: 'public' | 'confidential'
  /** SHA-256 of the secret, in hex; null for public clients. */
  secret_hash: string | null
  /** A JSON array, compared exactly but for the ports of loopback addresses. */
  redirect_uris: string
  created_at: number
}

/** A key that signs, or signed, id tokens. */
export interface SigningKeyTable {
  kid: string
  /** The private JWK, encrypted with our secret. */
  sealed_jwk: string
  created_at: number
  /** No two keys begin at one moment, and the first one has always signed: replicas agree on it. */
  signs_from: number
}

/** Which secret the store's rows were encrypted with. */
export interface SecretCheckTable {
  id: string
  fingerprint: string
}

export interface IdentityTables {
  session: SessionTable
  credential: CredentialTable
  verification: VerificationTable
  two_factor: TwoFactorTable
  passkey: PasskeyTable
  rate_limit: RateLimitTable
  lock_out: LockOutTable
  credited_address: CreditedAddressTable
  sign_in_link: SignInLinkTable
  oidc_client: OidcClientTable
  oidc_artifact: OidcArtifactTable
  signing_key: SigningKeyTable
  secret_check: SecretCheckTable
}

export const identityTables: StoredTables<IdentityTables> = {
  session: {},
  credential: {},
  verification: {},
  two_factor: {},
  passkey: {},
  rate_limit: {},
  lock_out: {},
  credited_address: {},
  sign_in_link: {},
  oidc_client: {},
  oidc_artifact: {},
  signing_key: { madeAtStart: true },
  secret_check: { madeAtStart: true },
}
