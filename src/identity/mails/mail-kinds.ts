/** Every mail that people get from us. */
export type MailKind =
  /** Somebody signed up with this address. */
  | 'verify_address'
  | 'reset_password'
  /** Somebody signed up with an address that has an account. */
  | 'known_address'
  /** To the old address: do you want to change it? */
  | 'confirm_change'
  /** To the new address: does mail reach you there? */
  | 'verify_change'
  /** A member of an account asks somebody to join it. */
  | 'invitation'
  | 'password_changed'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'passkey_added'
  | 'passkey_removed'
  | 'two_factor_reset'
  | 'account_removed'
  | 'account_removed_by_operator'

/** Where an invitation is accepted. */
export const INVITATION_PATH = '/invitation'

/** Those that lead to a page of ours; the others only tell. */
export const LINK_PATHS = {
  verify_address: '/verify-email',
  reset_password: '/reset-password',
  known_address: '/forgot-password',
  confirm_change: '/change-email',
  verify_change: '/change-email',
  invitation: INVITATION_PATH,
} as const satisfies Partial<Record<MailKind, string>>

export type LinkedKind = keyof typeof LINK_PATHS

export interface MailText {
  readonly subject: string
  /** Paragraphs before the link, and for mails without one all of it. */
  readonly intro: readonly string[]
  /** What the link is called. */
  readonly action?: string
  /** Paragraphs after the link. */
  readonly outro: readonly string[]
}

export interface MailTexts {
  readonly greeting: string
  /** Last, under a line: `{origin}` becomes where the mail comes from. */
  readonly footer: string
  readonly kinds: Readonly<Record<MailKind, MailText>>
}
