export { createAccounts, type Accounts } from './accounts.ts'
export type { Departure, LeavingAll, MemberChange } from './change-members.ts'
export type { Accepting, Invitation, Inviting } from './invitation.ts'
export type { Member, MemberPlace } from './member.ts'
export type { Members, Membership } from './members.ts'
export {
  hasRight,
  MEMBER_ROLES,
  RIGHTS,
  rightsOf,
  rolesWith,
  type MemberRole,
  type Right,
} from './rights.ts'
export { actorId, recordAudit, type Actor, type Deed, type Doer } from './audit.ts'
export { AUDIT_KINDS, type AuditKind, type AuditSubject, type OwnAuditPage } from './own-audit.ts'
export { FORGET_ADDRESSES_MS } from './forget-audit.ts'
export { MAX_LIVE_KEYS } from './create-own-key.ts'
export type { CreatedKey, NewKey } from './keys.ts'
export type { KeyChanges } from './update-key.ts'
export type { Rolling, RollWish } from './roll-key.ts'
export { canBeKept, type Account } from './account.ts'
export type { Reachable } from './reachable.ts'
export type { Within } from './within.ts'
export { accountsMigrations } from './migrations.ts'
export { createPersons, type Persons } from './persons.ts'
export type { Person, PersonFilter } from './person.ts'
export { recordTwoFactorReset, type TwoFactorLoss } from './reset-two-factor.ts'
export { isRemoved } from './remove-person.ts'
export {
  accountsTables,
  PLANS,
  ROLES,
  type ApiKeyTable,
  type AuditTable,
  type Plan,
  type Role,
} from './tables.ts'
