export {
  createIdentity,
  type Identity,
  type IdentityOptions,
  type LoadedIdentity,
} from './identity.ts'
export { WrongSecret } from './keys/check-secret.ts'
export type { SigningKey, SigningKeys } from './keys/signing-keys.ts'
export type { KeyDrop, KeyRotation } from './keys/change-signing-keys.ts'
export { identityMigrations } from './migrations.ts'
export {
  ADDRESSES,
  DISCOVERY,
  INTERACTION,
  OAUTH_DISCOVERY,
  RESOURCE_METADATA,
} from './openid/addresses.ts'
export type { AuthorizationProblem } from './openid/authorization-problem.ts'
export type { ConnectedApp, ConnectedApps } from './openid/connected-apps.ts'
export type { Client, ClientChanges, ClientKind, Clients, NewClient } from './openid/clients.ts'
export type { RedirectProblem } from './openid/find-redirect-problem.ts'
export type {
  ConsentRequest,
  Exchange,
  Interactions,
  InteractionStep,
} from './openid/interactions.ts'
export {
  ADDRESS_HEADER,
  AUTH_PATH,
  hasSessionCookie,
  LINK_PATH,
  SIGN_IN_BY_LINK,
} from './people/paths.ts'
export { INVITATION_PATH, LOCALE_HEADER, pickLanguage, type Language } from './mails/index.ts'
export type { People, Session } from './people/people.ts'
export type { Unconfirmed } from './people/confirm-person.ts'
export type { Removal } from './people/remove-person.ts'
export type { FoundLink, LinkWish, MadeLink, SignInLinks } from './people/sign-in-links.ts'
export type { SessionEntry } from './people/sessions.ts'
export { identityTables } from './tables.ts'
