import type { Kysely } from 'kysely'
import { recordTwoFactorReset, type Deed, type TwoFactorLoss } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { endAccess } from './end-access.ts'

/**
 * Takes the authenticator app of somebody who has lost it, and with `passkeys` those too, and ends all
 * that they are signed in to. Undefined where there was nothing to take.
 */
export async function resetTwoFactor(
  db: Kysely<IdentityTables>,
  personId: string,
  wish: { readonly passkeys: boolean },
  deed: Deed,
): Promise<TwoFactorLoss | undefined> {
  return db.transaction().execute(async (tx) => {
    const factors = await tx
      .deleteFrom('two_factor')
      .where('user_id', '=', personId)
      .executeTakeFirst()
    const passkeys = wish.passkeys
      ? await tx.deleteFrom('passkey').where('user_id', '=', personId).executeTakeFirst()
      : undefined
    const loss = {
      authenticator: factors.numDeletedRows > 0n,
      passkeys: Number(passkeys?.numDeletedRows ?? 0n),
    }
    if (!loss.authenticator && loss.passkeys === 0) return undefined
    await recordTwoFactorReset(tx, personId, loss, deed)
    await tx.deleteFrom('session').where('user_id', '=', personId).execute()
    await endAccess(tx, personId)
    return loss
  })
}
