/** What a member is in one account; what a person is to the whole service is another role. */
export const MEMBER_ROLES = ['owner', 'developer', 'billing', 'read_only'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/**
 * Who may do what in an account: the one table. Each operation of the console says which of these rights it
 * needs, and nothing else is looked at.
 */
const HOLDERS = {
  /** How the account stands and what it used, its limits, and who its members are. */
  see: ['owner', 'developer', 'billing', 'read_only'],
  see_requests: ['owner', 'developer', 'read_only'],
  /** Their names and limits. A key's text is shown to whoever makes it, and to nobody later. */
  see_keys: ['owner', 'developer', 'read_only'],
  change_keys: ['owner', 'developer'],
  /** The playground: it spends money of the account's. */
  chat: ['owner', 'developer'],
  change_limits: ['owner', 'developer'],
  /** The statement, top-ups and their papers, and when mail tells that money runs out. */
  see_money: ['owner', 'billing', 'read_only'],
  pay: ['owner', 'billing'],
  change_alerts: ['owner', 'billing'],
  /** Who did what to it. Everybody sees what they did themselves. */
  see_activity: ['owner', 'read_only'],
  see_invitations: ['owner', 'read_only'],
  change_members: ['owner'],
} as const satisfies Readonly<Record<string, readonly MemberRole[]>>

export type Right = keyof typeof HOLDERS

export const RIGHTS = Object.keys(HOLDERS) as readonly Right[]

/** The roles that have a right, the most powerful first. */
export function rolesWith(right: Right): readonly MemberRole[] {
  return HOLDERS[right]
}

export function hasRight(role: MemberRole, right: Right): boolean {
  return rolesWith(right).includes(role)
}

export function rightsOf(role: MemberRole): Right[] {
  return RIGHTS.filter((right) => hasRight(role, right))
}
