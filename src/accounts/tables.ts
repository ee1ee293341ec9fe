import type { NanoEuro } from '#platform/money.ts'
import type { StoredTables } from '#platform/store/index.ts'
import type { MemberRole } from './rights.ts'

export const PLANS = ['FREE', 'LITE', 'PRO', 'ELITE'] as const
export type Plan = (typeof PLANS)[number]

export const ROLES = ['customer', 'operator'] as const
export type Role = (typeof ROLES)[number]

export interface PersonTable {
  id: string
  /** In lower case: one person an address. */
  email: string
  /** 1 once they have shown that mail to the address reaches them. */
  email_verified: 0 | 1
  name: string | null
  /** Where a picture of them is. */
  picture: string | null
  plan: Plan
  role: Role
  two_factor_enabled: 0 | 1
  created_at: number
  updated_at: number
}

export interface AccountTable {
  id: string
  /** The owner whose name stands on its papers, and whose plan it has. */
  person_id: string
  min_tier: 1 | 2 | 3
  daily_ceiling_nano: NanoEuro | null
  suspended: 0 | 1
  created_at: number
}

export interface AccountMemberTable {
  account_id: string
  person_id: string
  role: MemberRole
  created_at: number
}

/** One mail that asks somebody to become a member. */
export interface InvitationTable {
  id: string
  account_id: string
  /** In lower case. */
  email: string
  role: MemberRole
  /** SHA-256 of what the mail's link carries, in hex. */
  token_hash: string
  /** A person's id. */
  invited_by: string
  created_at: number
  expires_at: number
  /** When it was accepted, withdrawn, or sent anew. */
  ended_at: number | null
}

export interface ApiKeyTable {
  id: string
  account_id: string
  name: string
  /** SHA-256 of the key, in hex. The key itself is never kept. */
  hash: string
  prefix: string
  last_four: string
  /** A secret is somebody's; a console key is what an account's playground calls by: nobody has its text. */
  kind: KeyKind
  created_at: number
  revoked_at: number | null
  /** From this instant on it is as unknown as if it had never been made. */
  expires_at: number | null
  /** The most that may be spent with it on a UTC day, within what its account may. */
  daily_ceiling_nano: NanoEuro | null
}

export type KeyKind = 'secret' | 'console'

/** Who did what to keys, money, limits and ways to sign in. What was done is never changed. */
export interface AuditTable {
  id: string
  at: number
  actor: string
  /** In which part they did it: an operator's own account is theirs as anybody's is. */
  acted_as: ActedAs
  action: AuditAction
  account_id: string | null
  /** Whom it is about, where it is about somebody. */
  person_id: string | null
  /** Where it was asked for, and by which browser, where that is known. Forgotten after a while. */
  address: string | null
  user_agent: string | null
  /** What changed, as JSON of names and figures. */
  details: string
}

export type ActedAs = 'person' | 'operator' | 'service'

export type AuditAction =
  | 'account.created'
  | 'account.changed'
  | 'alerts.changed'
  | 'credit.booked'
  | 'key.created'
  | 'key.changed'
  | 'key.rolled'
  | 'key.revoked'
  | 'member.invited'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.left'
  | 'invitation.withdrawn'
  | 'model.switched'
  | 'person.role_changed'
  | 'person.removed'
  | 'person.exported'
  | 'person.two_factor_reset'
  | 'topup.paid'
  | 'topup.reversed'
  | 'topup.refund_asked'
  | 'person.signed_out'
  | 'session.begun'
  | 'session.ended'
  | 'session.others_ended'
  | 'password.changed'
  | 'password.reset'
  | 'email.change_asked'
  | 'email.changed'
  | 'two_factor.on'
  | 'two_factor.off'
  | 'two_factor.codes_made'
  | 'passkey.added'
  | 'passkey.removed'
  | 'app.connected'
  | 'app.revoked'
  | 'sign_in_link.made'
  | 'sign_in_link.used'
  | 'client.created'
  | 'client.changed'
  | 'client.secret_rotated'
  | 'client.deleted'
  | 'signing_key.made'
  | 'signing_key.dropped'

export interface AccountsTables {
  person: PersonTable
  account: AccountTable
  account_member: AccountMemberTable
  invitation: InvitationTable
  api_key: ApiKeyTable
  audit: AuditTable
}

export const accountsTables: StoredTables<AccountsTables> = {
  person: {},
  account: {},
  account_member: {},
  invitation: {},
  api_key: {},
  audit: {},
}
