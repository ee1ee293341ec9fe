import { Problem, send } from './client.ts'

/** The sign-in API, which is not the contract's: its refusals are `{code, message}`, in capitals. */
const PATH = '/api/auth'

/** A passkey, as far as its person may know it. */
export interface Passkey {
  readonly id: string
  readonly name?: string | null
  /** In ISO 8601. */
  readonly createdAt?: string | null
}

/** What an authenticator app is told, and what is of help where it is lost. */
export interface TwoFactorStart {
  /** "otpauth://totp/…", what the QR code says. */
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

export const people = {
  rename: (name: string) => ask('/update-user', { name }),
  changeEmail: (newEmail: string) => ask('/change-email', { newEmail }),
  /** Ends all other sessions, and what apps hold. */
  changePassword: (currentPassword: string, newPassword: string) =>
    ask('/change-password', { currentPassword, newPassword }),
  /** Sends a mail with a link by which a password is set. */
  mailPasswordLink: (email: string) => ask('/request-password-reset', { email }),
  listPasskeys: (signal?: AbortSignal) =>
    ask<readonly Passkey[]>('/passkey/list-user-passkeys', undefined, signal),
  beginPasskey: () =>
    ask<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options'),
  addPasskey: (response: unknown, name: string | undefined) =>
    ask('/passkey/verify-registration', { response, name }),
  renamePasskey: (id: string, name: string) => ask('/passkey/update-passkey', { id, name }),
  removePasskey: (id: string) => ask('/passkey/delete-passkey', { id }),
  beginTwoFactor: (password: string) => ask<TwoFactorStart>('/two-factor/enable', { password }),
  confirmTwoFactor: (code: string) => ask('/two-factor/verify-totp', { code }),
  endTwoFactor: (password: string) => ask('/two-factor/disable', { password }),
  renewRecoveryCodes: (password: string) =>
    ask<Pick<TwoFactorStart, 'backupCodes'>>('/two-factor/generate-backup-codes', { password }),
} as const

/** With a body by POST, without one by GET. */
async function ask<Answer = unknown>(
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await send(PATH + path, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  })
  if (!response.ok) throw await readRefusal(response)
  // What each answers is written down in src/identity/README.md.
  return (await response.json()) as Answer
}

async function readRefusal(response: Response): Promise<Problem> {
  const { status, headers } = response
  const wait = Number(headers.get('retry-after') ?? headers.get('x-retry-after') ?? Number.NaN)
  const told = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterS: Number.isNaN(wait) ? undefined : Math.ceil(wait),
  }
  const body: unknown = await response.json().catch(() => undefined)
  const { code, message } = (body ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  const text = typeof message === 'string' ? message : `The answer was ${status}.`
  // Its limits have several names, or none.
  if (status === 429) return new Problem('too_many_attempts', text, told)
  if (code === 'UNAUTHORIZED') return new Problem('not_signed_in', text, told)
  return new Problem(typeof code === 'string' ? code : 'unreadable', text, told)
}
