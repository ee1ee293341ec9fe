import { createOTP } from '@better-auth/utils/otp'
import type { Kysely } from 'kysely'
import type { IdentityTables } from '../tables.ts'

/** RFC 6238: six digits, of a half minute each. What better-auth and every app take for granted. */
export const DIGITS = 6
export const PERIOD_S = 30

export type Claim = 'claimed' | 'used_before' | 'wrong'

export interface CodeClaim {
  readonly personId: string
  /** Decrypted. */
  readonly secret: string
  readonly code: string
  readonly nowMs: number
}

/**
 * Takes a code for one use: whoever looks over a shoulder has half a minute to use it again, and
 * better-auth would let them (RFC 6238, 5.2 forbids it). Compare and set: of two uses one wins.
 */
export async function claimCode(db: Kysely<IdentityTables>, claim: CodeClaim): Promise<Claim> {
  const step = await findStep(claim)
  if (step === undefined) return 'wrong'
  const { numUpdatedRows } = await db
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('user_id', '=', claim.personId)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n ? 'claimed' : 'used_before'
}

/** Clocks of phones are wrong by a little: the half minutes before and after are good as well. */
async function findStep({ secret, code, nowMs }: CodeClaim): Promise<number | undefined> {
  const otp = createOTP(secret, { digits: DIGITS, period: PERIOD_S })
  const current = Math.floor(nowMs / 1_000 / PERIOD_S)
  for (const step of [current, current - 1, current + 1]) {
    if ((await otp.hotp(step)) === code) return step
  }
  return undefined
}
