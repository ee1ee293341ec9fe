/** What of a key says whether it can be called with. */
export interface KeyEnds {
  readonly revoked_at: number | null
  readonly expires_at: number | null
}

export function isLiveKey(
  { revoked_at: revokedAt, expires_at: expiresAt }: KeyEnds,
  nowMs: number,
) {
  return revokedAt === null && (expiresAt === null || expiresAt > nowMs)
}
